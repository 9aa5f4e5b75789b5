import type { Layout } from '../csv/export.ts';

/** One statement in each line (https://github.com/ndjson/ndjson-spec). */
export const jsonLines: Layout = {
  head: '',
  parts: (text) => [`${text}\n`],
  end: '',
};

/** A JSON array with one statement in each line. */
export const jsonArray: Layout = {
  head: '[',
  parts: (text, row) => [`${row === 0 ? '' : ','}\n${text}`],
  end: '\n]\n',
};
