import type { lists as english } from '../en/lists.ts';

/** Texts in German: lists. */
export const lists: typeof english = {
  pager: 'Blättern',
  firstPage: 'Erste Seite',
  previousPage: 'Vorige Seite',
  nextPage: 'Nächste Seite',
  page: (page) => `Seite ${page}`,
  somePage: 'Eine spätere Seite',
  isFirst: 'Dies ist die erste Seite.',
  isLast: 'Dies ist die letzte Seite.',
  noPrevious: 'Die vorige Seite ist nicht bekannt. Gehen Sie zur ersten Seite.',
  filterBy: (name, value) => `Nach ${name} filtern: ${value}`,
  onPage: (count) => (count === 1 ? '1 Eintrag auf dieser Seite' : `${count} Einträge auf dieser Seite`),
  noMatch: (search) => `Kein Eintrag passt zur Suche „${search}“.`,
  noFiltered: 'Kein Eintrag passt zu den Filtern.',
  noFilteredMatch: (search) => `Kein Eintrag passt zur Suche „${search}“ und den Filtern.`,
  noMore: 'Es gibt keine weiteren Einträge.',
};
