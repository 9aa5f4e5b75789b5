import {
  type Icon,
  IconActivity,
  IconBolt,
  IconChartBar,
  IconDatabase,
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
import type { ComponentType } from 'react';
import type { Environment } from '../api/environment.ts';
import type { Texts } from '../texts/en.ts';
import { languages } from '../texts/languages.ts';

/** A page of the menu. */
export interface Screen {
  readonly path: string;
  readonly name: keyof Texts['pages'];
  readonly icon: Icon;
  /** Loads what it shows. */
  readonly load: () => Promise<ComponentType>;
  /** Whether the settings have it; always, if absent. */
  readonly isOn?: (environment: Environment) => boolean;
}

/** Every page, in the order of the menu. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    name: 'overview',
    icon: IconChartBar,
    load: async () => (await import('./overview/overview.tsx')).OverviewScreen,
  },
  {
    path: '/statements',
    name: 'statements',
    icon: IconList,
    load: async () => (await import('./statements/statements.tsx')).StatementsScreen,
  },
  {
    path: '/upload',
    name: 'upload',
    icon: IconUpload,
    load: async () => (await import('./upload/upload.tsx')).UploadScreen,
  },
  {
    path: '/export',
    name: 'export',
    icon: IconDatabaseExport,
    load: async () => (await import('./export/export.tsx')).ExportScreen,
  },
  {
    path: '/documents',
    name: 'documents',
    icon: IconFileText,
    load: async () => (await import('./documents/documents.tsx')).DocumentsScreen,
  },
  {
    path: '/agents',
    name: 'agents',
    icon: IconUsers,
    load: async () => (await import('./agents/agents.tsx')).AgentsScreen,
  },
  {
    path: '/activities',
    name: 'activities',
    icon: IconActivity,
    load: async () => (await import('./activities/activities.tsx')).ActivitiesScreen,
  },
  {
    path: '/reactions',
    name: 'reactions',
    icon: IconBolt,
    load: async () => (await import('./reactions/reactions.tsx')).ReactionsScreen,
    isOn: (environment) => environment['enable-reactions'],
  },
  {
    path: '/credentials',
    name: 'credentials',
    icon: IconKey,
    load: async () => (await import('./credentials/credentials.tsx')).CredentialsScreen,
  },
  {
    path: '/accounts',
    name: 'accounts',
    icon: IconUserShield,
    load: async () => (await import('./accounts/accounts.tsx')).AccountsScreen,
  },
  {
    path: '/stores',
    name: 'stores',
    icon: IconDatabase,
    load: async () => (await import('./stores/stores.tsx')).StoresScreen,
    isOn: (environment) => environment['enable-stores'],
  },
  {
    path: '/erase',
    name: 'erase',
    icon: IconTrash,
    load: async () => (await import('./erase/erase.tsx')).EraseScreen,
    isOn: (environment) => environment['enable-admin-delete-actor'],
  },
  {
    path: '/audit',
    name: 'audit',
    icon: IconHistory,
    load: async () => (await import('./audit/audit.tsx')).AuditScreen,
  },
  {
    path: '/settings',
    name: 'settings',
    icon: IconSettings,
    load: async () => (await import('./settings/settings.tsx')).SettingsScreen,
  },
];

// The screen that the address names does not wait for the frame around it, and reports itself when it can't be loaded.
const opened = window.location.hash.replace(/^#/, '').replace(/[?].*$/, '') || '/';
void screens
  .find(({ path }) => path === opened)
  ?.load()
  .catch(() => {});

/** Milliseconds after which the other pages are loaded: first the one that is open has what it needs. */
const pause = 3_000;

/** Loads all pages and languages ahead, so that the next one opens at once, even while the server is away. @returns what stops it. */
export function loadScreensAhead(): () => void {
  const timer = window.setTimeout(() => {
    for (const { load } of [...screens, ...Object.values(languages)]) load().catch(() => {});
  }, pause);
  return () => window.clearTimeout(timer);
}
