/** What other modules may use of the search index: the keys of values and filters that consist of them. */
export type { KeyFilter } from './search/plan.ts';
export { keyedTerm, type SearchKey, searchKey } from './search/search-key.ts';
