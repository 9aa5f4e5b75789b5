/** Texts in English: stores. */
export const stores = {
  intro:
    'Each store is an LRS of its own, with its own database, accounts, key pairs and reactions. Its operators see nothing of the others.',
  none: 'There is no other store yet.',
  name: 'Name',
  nameHint: 'Part of its address: small letters, digits and hyphens.',
  server: 'Database server',
  state: 'State',
  created: 'Created',
  states: {
    creating: 'Creation failed or under way',
    open: 'Open',
    'read-only': 'Read-only',
    closed: 'Closed',
    missing: 'Database missing',
    deleting: 'Deletion failed or under way',
  },
  create: 'Create a store',
  createAction: 'Create',
  createText: 'The first account of the store. With it, its operator signs in at the address of the store.',
  createdDone: (name: string) => `The store ${name} is created.`,
  open: (name: string) => `Open: ${name}`,
  suspend: (name: string) => `Make read-only: ${name}`,
  close: (name: string) => `Close: ${name}`,
  export: (name: string) => `Export: ${name}`,
  remove: (name: string) => `Delete: ${name}`,
  opened: (name: string) => `The store ${name} is open.`,
  suspended: (name: string) => `The store ${name} is read-only. Every change is refused.`,
  closed: (name: string) => `The store ${name} is closed. Every request is refused.`,
  removeTitle: 'Delete this store?',
  removeText: (name: string) =>
    `Everything in the store ${name} is deleted: statements, documents, accounts, key pairs and reactions. This can’t be taken back.`,
  entryOnly: 'Only take it off the list; its database stays',
  entryOnlyHint:
    'For a store whose database server is lost. A database that is still there stays as it is, and you remove it yourself.',
  removed: (name: string) => `The store ${name} is deleted.`,
  more: 'Show more',
};
