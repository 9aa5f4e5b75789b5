import type { stores as english } from '../en/stores.ts';

/** Texts in German: stores. */
export const stores: typeof english = {
  intro:
    'Jeder Store ist ein eigenes LRS mit eigener Datenbank, eigenen Konten, Schlüsselpaaren und Reaktionen. Wer ihn verwaltet, sieht nichts von den anderen.',
  none: 'Es gibt noch keinen weiteren Store.',
  name: 'Name',
  nameHint: 'Teil seiner Adresse: Kleinbuchstaben, Ziffern und Bindestriche.',
  server: 'Datenbankserver',
  state: 'Zustand',
  created: 'Angelegt',
  states: {
    creating: 'Wird angelegt, oder das ist gescheitert',
    open: 'Offen',
    'read-only': 'Nur lesbar',
    closed: 'Geschlossen',
    missing: 'Datenbank fehlt',
    deleting: 'Wird gelöscht, oder das ist gescheitert',
  },
  create: 'Store anlegen',
  createAction: 'Anlegen',
  createText:
    'Das erste Konto des Stores. Damit meldet sich an der Adresse des Stores an, wer ihn verwaltet.',
  createdDone: (name) => `Der Store ${name} ist angelegt.`,
  open: (name) => `Öffnen: ${name}`,
  suspend: (name) => `Nur lesbar machen: ${name}`,
  close: (name) => `Schließen: ${name}`,
  export: (name) => `Exportieren: ${name}`,
  remove: (name) => `Löschen: ${name}`,
  opened: (name) => `Der Store ${name} ist offen.`,
  suspended: (name) => `Der Store ${name} ist nur lesbar. Jede Änderung wird abgewiesen.`,
  closed: (name) => `Der Store ${name} ist geschlossen. Jede Anfrage wird abgewiesen.`,
  removeTitle: 'Diesen Store löschen?',
  removeText: (name) =>
    `Alles im Store ${name} wird gelöscht: Statements, Dokumente, Konten, Schlüsselpaare und Reaktionen. Das lässt sich nicht rückgängig machen.`,
  entryOnly: 'Nur aus der Liste nehmen; die Datenbank bleibt',
  entryOnlyHint:
    'Für einen Store, dessen Datenbankserver verloren ist. Eine Datenbank, die es noch gibt, bleibt, wie sie ist; entfernen Sie sie selbst.',
  removed: (name) => `Der Store ${name} ist gelöscht.`,
  more: 'Mehr zeigen',
};
