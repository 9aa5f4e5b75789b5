import type { StoreState } from '../../../../lib/stores/types.ts';

/** What to do about a store that is in one of these states for long. */
type Remedies = Readonly<Partial<Record<StoreState, string>>>;

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
    moving: 'Move failed or under way',
    missing: 'Database missing',
    deleting: 'Deletion failed or under way',
  },
  remedies: {
    creating: 'If its creation was interrupted, delete it, then create it again.',
    moving: 'If its move was interrupted, close it; it stays where it was.',
    missing: 'Bring its database back, then open it. If the database is lost, delete the store.',
    deleting: 'If its deletion was interrupted, delete it again.',
  } as Remedies,
  create: 'Create a store',
  createAction: 'Create',
  createText: 'The first account of the store. With it, its operator signs in at the address of the store.',
  createdDone: (name: string) => `The store ${name} is created.`,
  serverHint: 'Where its database is made.',
  settings: {
    authorityUrl: 'Authority URL',
    enableReactions: 'Reactions',
    enableStrictVersion: 'Strict version header',
    stmtGetDefault: 'Statements on a page if the request has no limit',
    stmtGetMax: 'Most statements on a page',
  },
  settingsText: 'Settings of this store. What is left empty is as in the configuration of the server.',
  authorityHint: 'Part of the authority of each statement; choose it before the first ones are stored.',
  asConfigured: 'As configured',
  on: 'On',
  off: 'Off',
  settingsOf: (name: string) => `Settings of ${name}`,
  settingsChanged: (name: string) => `The settings of ${name} are saved.`,
  broken: (state: string) => `${state}, can’t be used`,
  since: (time: string) => `Found on ${time}.`,
  actions: {
    open: 'Open',
    'read-only': 'Make read-only',
    closed: 'Close',
    settings: 'Settings',
    export: 'Export',
    delete: 'Delete',
  },
  asked: { 'read-only': 'Make this store read-only?', closed: 'Close this store?' },
  effects: {
    'read-only': (name: string) =>
      `Everything in ${name} can still be read. Every change is refused with 503, also that of its operators, until you open it.`,
    closed: (name: string) =>
      `Every request to ${name} is refused with 503 until you open it. Downloads break off. Nothing is deleted.`,
  },
  done: {
    open: (name: string) => `The store ${name} is open.`,
    'read-only': (name: string) => `The store ${name} is read-only. Every change is refused.`,
    closed: (name: string) => `The store ${name} is closed. Every request is refused.`,
  },
  removeTitle: 'Delete this store?',
  removeText: (name: string) =>
    `Everything in the store ${name} is deleted: statements, documents, accounts, key pairs and reactions. This can’t be taken back.`,
  entryOnly: 'Only take it off the list; its database stays',
  entryOnlyHint:
    'For a store whose database server is lost. A database that is still there stays as it is, and you remove it yourself.',
  removed: (name: string) => `The store ${name} is deleted.`,
  more: 'Show more',
};
