/** Texts in English: lists. */
export const lists = {
  pager: 'Paging',
  firstPage: 'First page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  page: (page: number) => `Page ${page}`,
  somePage: 'A later page',
  isFirst: 'This is the first page.',
  isLast: 'This is the last page.',
  noPrevious: 'The previous page is not known. Go to the first page.',
  filterBy: (name: string, value: string) => `Filter by ${name}: ${value}`,
  onPage: (count: number) => (count === 1 ? '1 entry on this page' : `${count} entries on this page`),
  noMatch: (search: string) => `No entry matches the search “${search}”.`,
  noFiltered: 'No entry matches the filters.',
  noFilteredMatch: (search: string) => `No entry matches the search “${search}” and the filters.`,
  noMore: 'There are no further entries.',
};
