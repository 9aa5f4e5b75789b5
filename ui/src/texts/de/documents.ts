import type { documents as english } from '../en/documents.ts';

/** Texts in German: documents. */
export const documents: typeof english = {
  search: 'Suche in Ids, Aktivitäten und Agents',
  empty:
    'Es gibt noch keine Dokumente. Programme legen sie über die State- und Profile-Ressourcen der xAPI ab.',
  kind: 'Art',
  allKinds: 'Alle Arten',
  kinds: { state: 'State', 'agent-profile': 'Agent-Profil', 'activity-profile': 'Aktivitätsprofil' },
  owner: 'Eines Agents oder einer Aktivität',
  applyOwner: 'Diese Dokumente zeigen',
  clearOwner: 'Von allen',
  id: 'Id',
  activity: 'Aktivität',
  agent: 'Agent',
  registration: 'Registration',
  type: 'Inhaltstyp',
  length: 'Größe',
  updated: 'Geändert',
  links: 'Über den Besitzer',
  about: 'Über dieses Dokument',
  content: 'Inhalt',
  notShown: 'Eine Seite kann diesen Inhalt nicht zeigen. Laden Sie ihn herunter.',
  tooLarge: 'Der Inhalt ist groß und wird deshalb nicht gezeigt. Laden Sie ihn herunter.',
  download: 'Herunterladen',
  edit: 'Bearbeiten',
  newContent: 'Neuer Inhalt (JSON)',
  notJson: 'Das ist kein gültiges JSON.',
  saved: 'Das Dokument ist gespeichert.',
  changedTitle: 'Das Dokument hat sich inzwischen geändert',
  changedBeforeSave:
    'Jemand anderes hat es geändert oder gelöscht, seit Sie es geöffnet haben. Nichts ist überschrieben, und Ihr Text ist noch da. Sehen Sie sich an, was jetzt gespeichert ist, und entscheiden Sie dann.',
  compare: 'Zeigen, was jetzt gespeichert ist',
  storedNow: 'Jetzt gespeichert',
  replaceStored: 'Ersetzen, was jetzt gespeichert ist',
  deleteTitle: 'Dieses Dokument löschen?',
  deleteText: (id) => `${id} ist dann endgültig weg.`,
  deleted: 'Das Dokument ist gelöscht.',
  changedBeforeDelete:
    'Jemand anderes hat es geändert oder gelöscht, seit Sie es geöffnet haben. Nichts ist gelöscht. Schließen Sie diese Frage und sehen Sie sich das Dokument noch einmal an.',
};
