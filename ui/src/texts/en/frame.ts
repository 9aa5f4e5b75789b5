/** Texts in English: frame. */
export const frame = {
  menu: 'Menu',
  pages: 'Pages',
  keyPair: 'Key pair for reading',
  language: 'Language',
  colours: 'Colours',
  light: 'Light',
  dark: 'Dark',
  auto: 'As the system',
  signOut: 'Sign out everywhere',
  account: 'Account',
  needsKey: 'A key pair is needed',
  needsKeyText: 'The screen reads and writes through the xAPI as every client does. Create a key pair first.',
  createKey: 'Go to the key pairs',
  missingScope: {
    read: 'The chosen key pair may not read this',
    write: 'The chosen key pair may not change this',
  },
  missingScopeText: (scopes: string) =>
    `It needs one of these scopes: ${scopes}. Choose another key pair, or give this one more scopes.`,
};
