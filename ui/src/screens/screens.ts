import {
  type Icon,
  IconActivity,
  IconChartBar,
  IconDatabaseExport,
  IconFileText,
  IconHistory,
  IconKey,
  IconList,
  IconSettings,
  IconTrash,
  IconUpload,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import type { Environment } from '../api/environment.ts';
import type { Texts } from '../texts/en.ts';

/** A page of the menu. */
export interface Screen {
  readonly path: string;
  readonly name: keyof Texts['pages'];
  readonly icon: Icon;
  /** Loaded when it is opened. */
  readonly Content: ComponentType;
  /** Whether the settings have it; always, if absent. */
  readonly isOn?: (environment: Environment) => boolean;
}

const screen = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));

/** Every page, in the order of the menu. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    name: 'overview',
    icon: IconChartBar,
    Content: screen(async () => (await import('./overview/overview.tsx')).OverviewScreen),
  },
  {
    path: '/statements',
    name: 'statements',
    icon: IconList,
    Content: screen(async () => (await import('./statements/statements.tsx')).StatementsScreen),
  },
  {
    path: '/upload',
    name: 'upload',
    icon: IconUpload,
    Content: screen(async () => (await import('./upload/upload.tsx')).UploadScreen),
  },
  {
    path: '/export',
    name: 'export',
    icon: IconDatabaseExport,
    Content: screen(async () => (await import('./export/export.tsx')).ExportScreen),
  },
  {
    path: '/documents',
    name: 'documents',
    icon: IconFileText,
    Content: screen(async () => (await import('./documents/documents.tsx')).DocumentsScreen),
  },
  {
    path: '/agents',
    name: 'agents',
    icon: IconUsers,
    Content: screen(async () => (await import('./agents/agents.tsx')).AgentsScreen),
  },
  {
    path: '/activities',
    name: 'activities',
    icon: IconActivity,
    Content: screen(async () => (await import('./activities/activities.tsx')).ActivitiesScreen),
  },
  {
    path: '/credentials',
    name: 'credentials',
    icon: IconKey,
    Content: screen(async () => (await import('./credentials/credentials.tsx')).CredentialsScreen),
  },
  {
    path: '/accounts',
    name: 'accounts',
    icon: IconUserShield,
    Content: screen(async () => (await import('./accounts/accounts.tsx')).AccountsScreen),
  },
  {
    path: '/erase',
    name: 'erase',
    icon: IconTrash,
    Content: screen(async () => (await import('./erase/erase.tsx')).EraseScreen),
    isOn: (environment) => environment['enable-admin-delete-actor'],
  },
  {
    path: '/audit',
    name: 'audit',
    icon: IconHistory,
    Content: screen(async () => (await import('./audit/audit.tsx')).AuditScreen),
  },
  {
    path: '/settings',
    name: 'settings',
    icon: IconSettings,
    Content: screen(async () => (await import('./settings/settings.tsx')).SettingsScreen),
  },
];
