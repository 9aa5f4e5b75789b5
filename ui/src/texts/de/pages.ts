import type { pages as english } from '../en/pages.ts';

/** Texts in German: pages. */
export const pages: typeof english = {
  overview: 'Überblick',
  statements: 'Statements',
  upload: 'Hochladen',
  export: 'Export',
  documents: 'Dokumente',
  agents: 'Agents',
  activities: 'Aktivitäten',
  reactions: 'Reaktionen',
  credentials: 'Schlüsselpaare',
  accounts: 'Konten',
  stores: 'Stores',
  erase: 'Akteur löschen',
  audit: 'Protokoll',
  settings: 'Einstellungen',
};
