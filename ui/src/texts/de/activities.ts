import type { activities as english } from '../en/activities.ts';

/** Texts in German: activities. */
export const activities: typeof english = {
  listed:
    'Aktivitäten, die Objekt eines Statements sind, auch eines ungültigen, oder die ein Statement in irgendeiner Rolle definiert.',
  onlyObjects: 'Nur Objekte von Statements',
  search: 'Suche',
  searchHint: 'Ein Teil einer Id oder Definition',
  empty: 'Es gibt noch keine Aktivitäten. Sie erscheinen mit dem ersten Statement über eine.',
  id: 'Id',
  name: 'Name',
  type: 'Typ',
  statements: 'Statements als Objekt',
  links: 'Über diese Aktivität',
  statementsOf: 'Statements mit ihr als Objekt',
  statementsAbout: 'Statements in jeder Rolle',
  documents: 'Dokumente',
  definition: 'Definition',
  noDefinition: 'Kein Statement hat sie definiert.',
  description: 'Beschreibung',
  moreInfo: 'Weitere Informationen',
  interactionType: 'Interaktion',
  correctResponses: 'Richtige Antworten',
  components: { choices: 'Auswahl', scale: 'Skala', source: 'Quellen', target: 'Ziele', steps: 'Schritte' },
  json: 'Aktivität als JSON',
};
