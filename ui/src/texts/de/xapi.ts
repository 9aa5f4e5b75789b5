import type { xapi as english } from '../en/xapi.ts';

/** Texts in German: xapi. */
export const xapi: typeof english = {
  identifier: 'Erkannt an',
  identifierKinds: {
    mbox: 'E-Mail-Adresse',
    account: 'Konto',
    mbox_sha1sum: 'SHA-1 der E-Mail-Adresse',
    openid: 'OpenID',
    json: 'JSON',
  },
  accountName: 'Name des Kontos',
  accountHomePage: 'Homepage des Kontos',
  group: (members) => `Gruppe aus ${members}`,
  unknown: 'Unbekannt',
  statement: (id) => `Statement ${id}`,
  entries: (count) => (count === 1 ? '1 Eintrag' : `${count} Einträge`),
  members: (count) => (count === 1 ? '1 Feld' : `${count} Felder`),
  moreEntries: (count) => `Mehr zeigen (noch ${count})`,
  jsonForm: (label) => `Form von: ${label}`,
  jsonTree: 'Baum',
  jsonText: 'Text',
};
