import { describe, expect, it } from 'vitest';
import { csvLine } from '../../../ui/src/components/csv-line.ts';

describe('a line of a CSV file that the screen makes', () => {
  it('has the cells in quotes where they need them', () => {
    expect(csvLine(['a', 'b,c', 'd"e', ''])).toBe('a,"b,c","d""e",\r\n');
  });

  it.each(['=1', ' +1', '\t1', '＝1', '\u200b=1', '\u00ad@x', '\u2060-1', '\u180e=1'])(
    'has an apostrophe before what a spreadsheet might run: %j',
    (cell) => {
      expect(csvLine([cell])).toBe(`'${cell}\r\n`);
    },
  );
});
