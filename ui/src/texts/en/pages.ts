/** Texts in English: pages. */
export const pages = {
  overview: 'Overview',
  statements: 'Statements',
  upload: 'Upload',
  export: 'Export',
  documents: 'Documents',
  agents: 'Agents',
  activities: 'Activities',
  reactions: 'Reactions',
  credentials: 'Key pairs',
  accounts: 'Accounts',
  stores: 'Stores',
  erase: 'Erase an actor',
  audit: 'Audit trail',
  settings: 'Settings',
};
