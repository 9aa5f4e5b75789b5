import type { agents as english } from '../en/agents.ts';

/** Texts in German: agents. */
export const agents: typeof english = {
  listed:
    'Alle mit einer Kennung, die Statements in irgendeiner Rolle nennen, auch als Authority und in ungültigen Statements, oder die Dokumente haben.',
  onlyActors: 'Nur Akteure von Statements',
  search: 'Suche',
  searchHint: 'Ein Teil eines Namens oder einer Kennung',
  empty: 'Es gibt noch keine Agents. Sie erscheinen mit dem ersten Statement oder Dokument, das sie nennt.',
  identifier: 'Kennung',
  kind: 'Art',
  names: 'Namen',
  moreNames: (count) => `und ${count} weitere`,
  statements: 'Statements als Actor',
  links: 'Über diesen Agent',
  statementsBy: 'Statements als Actor oder Objekt',
  statementsAbout: 'Statements in jeder Rolle',
  documents: 'Dokumente',
  auditTrail: 'Protokoll',
  erase: 'Löschen',
  person: 'Person',
  personJson: 'Person als JSON',
};
