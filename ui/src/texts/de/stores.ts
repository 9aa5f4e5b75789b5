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
    moving: 'Zieht um, oder das ist gescheitert',
    missing: 'Datenbank fehlt',
    deleting: 'Wird gelöscht, oder das ist gescheitert',
  },
  remedies: {
    creating: 'Wurde das Anlegen unterbrochen, löschen Sie ihn und legen Sie ihn erneut an.',
    moving: 'Wurde der Umzug unterbrochen, schließen Sie ihn; er bleibt, wo er war.',
    missing:
      'Stellen Sie seine Datenbank wieder her und öffnen Sie ihn dann. Ist die Datenbank verloren, löschen Sie ihn.',
    deleting: 'Wurde das Löschen unterbrochen, löschen Sie ihn noch einmal.',
  },
  create: 'Store anlegen',
  createAction: 'Anlegen',
  createText:
    'Das erste Konto des Stores. Damit meldet sich an der Adresse des Stores an, wer ihn verwaltet.',
  createdDone: (name) => `Der Store ${name} ist angelegt.`,
  serverHint: 'Wo seine Datenbank angelegt wird.',
  settings: {
    authorityUrl: 'URL der Authority',
    enableReactions: 'Reaktionen',
    enableStrictVersion: 'Strenge Prüfung der Version',
    stmtGetDefault: 'Statements einer Seite, wenn die Anfrage kein limit hat',
    stmtGetMax: 'Höchstzahl der Statements einer Seite',
  },
  settingsText: 'Einstellungen dieses Stores. Was leer bleibt, ist wie in der Konfiguration des Servers.',
  authorityHint: 'Teil der Authority jedes Statements; wählen Sie sie vor den ersten Statements.',
  asConfigured: 'Wie konfiguriert',
  on: 'Ein',
  off: 'Aus',
  settingsOf: (name) => `Einstellungen von ${name}`,
  settingsChanged: (name) => `Die Einstellungen von ${name} sind gespeichert.`,
  broken: (state) => `${state}, nicht benutzbar`,
  since: (time) => `Bemerkt am ${time}.`,
  actions: {
    open: 'Öffnen',
    'read-only': 'Nur lesbar machen',
    closed: 'Schließen',
    settings: 'Einstellungen',
    export: 'Exportieren',
    delete: 'Löschen',
  },
  asked: { 'read-only': 'Diesen Store nur lesbar machen?', closed: 'Diesen Store schließen?' },
  effects: {
    'read-only': (name) =>
      `Alles in ${name} bleibt lesbar. Jede Änderung wird mit 503 abgewiesen, auch die seiner Verwaltung, bis Sie ihn öffnen.`,
    closed: (name) =>
      `Jede Anfrage an ${name} wird mit 503 abgewiesen, bis Sie ihn öffnen. Downloads brechen ab. Gelöscht wird nichts.`,
  },
  done: {
    open: (name) => `Der Store ${name} ist offen.`,
    'read-only': (name) => `Der Store ${name} ist nur lesbar. Jede Änderung wird abgewiesen.`,
    closed: (name) => `Der Store ${name} ist geschlossen. Jede Anfrage wird abgewiesen.`,
  },
  removeTitle: 'Diesen Store löschen?',
  removeText: (name) =>
    `Alles im Store ${name} wird gelöscht: Statements, Dokumente, Konten, Schlüsselpaare und Reaktionen. Das lässt sich nicht rückgängig machen.`,
  entryOnly: 'Nur aus der Liste nehmen; die Datenbank bleibt',
  entryOnlyHint:
    'Für einen Store, dessen Datenbankserver verloren ist. Eine Datenbank, die es noch gibt, bleibt, wie sie ist; entfernen Sie sie selbst.',
  removed: (name) => `Der Store ${name} ist gelöscht.`,
  more: 'Mehr zeigen',
};
