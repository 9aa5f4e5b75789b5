/** Texts in English: xapi. */
export const xapi = {
  identifier: 'Identified by',
  identifierKinds: {
    mbox: 'Mail address',
    account: 'Account',
    mbox_sha1sum: 'SHA-1 of the mail address',
    openid: 'OpenID',
    json: 'JSON',
  },
  accountName: 'Account name',
  accountHomePage: 'Home page of the account',
  group: (members: string) => `Group of ${members}`,
  unknown: 'Unknown',
  statement: (id: string) => `Statement ${id}`,
  entries: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
  members: (count: number) => (count === 1 ? '1 member' : `${count} members`),
  moreEntries: (count: number) => `Show more (${count} are left)`,
  jsonForm: (label: string) => `Form of: ${label}`,
  jsonTree: 'Tree',
  jsonText: 'Text',
};
