/** Texts in English: agents. */
export const agents = {
  listed:
    'Everybody with an identifier whom statements name in any role, as authority and in voided statements too, or who has documents.',
  onlyActors: 'Only Actors of statements',
  search: 'Search',
  searchHint: 'A part of a name or identifier',
  empty: 'There are no Agents yet. They appear with the first statement or document that names them.',
  identifier: 'Identifier',
  kind: 'Kind',
  names: 'Names',
  moreNames: (count: number) => `and ${count} more`,
  statements: 'Statements as Actor',
  links: 'About this Agent',
  statementsBy: 'Statements as Actor or Object',
  statementsAbout: 'Statements in any role',
  documents: 'Documents',
  auditTrail: 'Audit trail',
  erase: 'Erase',
  person: 'Person',
  personJson: 'Person as JSON',
};
