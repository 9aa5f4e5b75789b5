import type { frame as english } from '../en/frame.ts';

/** Texts in German: frame. */
export const frame: typeof english = {
  menu: 'Menü',
  pages: 'Seiten',
  keyPair: 'Schlüsselpaar zum Lesen',
  language: 'Sprache',
  colours: 'Farben',
  light: 'Hell',
  dark: 'Dunkel',
  auto: 'Wie das System',
  signOut: 'Überall abmelden',
  account: 'Konto',
  needsKey: 'Ein Schlüsselpaar wird gebraucht',
  needsKeyText:
    'Die Oberfläche liest und schreibt wie jedes Programm über die xAPI. Legen Sie zuerst ein Schlüsselpaar an.',
  createKey: 'Zu den Schlüsselpaaren',
  missingScope: {
    read: 'Das gewählte Schlüsselpaar darf dies nicht lesen',
    write: 'Das gewählte Schlüsselpaar darf dies nicht ändern',
  },
  missingScopeText: (scopes) =>
    `Es braucht eine dieser Berechtigungen (Scopes): ${scopes}. Wählen Sie ein anderes Schlüsselpaar oder geben Sie diesem mehr Berechtigungen.`,
};
