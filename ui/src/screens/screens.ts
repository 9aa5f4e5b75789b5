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
  /** Loaded when it is opened, or by `load`. */
  readonly Content: ComponentType;
  readonly load: () => Promise<unknown>;
  /** Whether the settings have it; always, if absent. */
  readonly isOn?: (environment: Environment) => boolean;
}

const screen = (load: () => Promise<ComponentType>): Pick<Screen, 'Content' | 'load'> => ({
  Content: lazy(async () => ({ default: await load() })),
  load,
});

/** Every page, in the order of the menu. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    name: 'overview',
    icon: IconChartBar,
    ...screen(async () => (await import('./overview/overview.tsx')).OverviewScreen),
  },
  {
    path: '/statements',
    name: 'statements',
    icon: IconList,
    ...screen(async () => (await import('./statements/statements.tsx')).StatementsScreen),
  },
  {
    path: '/upload',
    name: 'upload',
    icon: IconUpload,
    ...screen(async () => (await import('./upload/upload.tsx')).UploadScreen),
  },
  {
    path: '/export',
    name: 'export',
    icon: IconDatabaseExport,
    ...screen(async () => (await import('./export/export.tsx')).ExportScreen),
  },
  {
    path: '/documents',
    name: 'documents',
    icon: IconFileText,
    ...screen(async () => (await import('./documents/documents.tsx')).DocumentsScreen),
  },
  {
    path: '/agents',
    name: 'agents',
    icon: IconUsers,
    ...screen(async () => (await import('./agents/agents.tsx')).AgentsScreen),
  },
  {
    path: '/activities',
    name: 'activities',
    icon: IconActivity,
    ...screen(async () => (await import('./activities/activities.tsx')).ActivitiesScreen),
  },
  {
    path: '/credentials',
    name: 'credentials',
    icon: IconKey,
    ...screen(async () => (await import('./credentials/credentials.tsx')).CredentialsScreen),
  },
  {
    path: '/accounts',
    name: 'accounts',
    icon: IconUserShield,
    ...screen(async () => (await import('./accounts/accounts.tsx')).AccountsScreen),
  },
  {
    path: '/erase',
    name: 'erase',
    icon: IconTrash,
    ...screen(async () => (await import('./erase/erase.tsx')).EraseScreen),
    isOn: (environment) => environment['enable-admin-delete-actor'],
  },
  {
    path: '/audit',
    name: 'audit',
    icon: IconHistory,
    ...screen(async () => (await import('./audit/audit.tsx')).AuditScreen),
  },
  {
    path: '/settings',
    name: 'settings',
    icon: IconSettings,
    ...screen(async () => (await import('./settings/settings.tsx')).SettingsScreen),
  },
];

// The screen that the address names does not wait for the frame around it, and reports itself when it can't be loaded.
const opened = window.location.hash.replace(/^#/, '').replace(/[?].*$/, '') || '/';
void screens
  .find(({ path }) => path === opened)
  ?.load()
  .catch(() => {});
