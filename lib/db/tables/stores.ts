/* migrations/0006-stores.ts says what the columns hold. */

import { ascii, bigint, longText } from './columns.ts';
import { table } from './table.ts';

export const store = table({
  name: 'store',
  columns: { name: ascii(40), server: ascii(40), state: ascii(10), settings: longText, created: bigint },
  primaryKey: ['name'],
});
