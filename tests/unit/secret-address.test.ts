import { expect, it } from 'vitest';
import { mayHoldSecret } from '../../lib/secret-address.ts';

it.each([
  ['postgres://ann:secret@db.example/lrs', true],
  ['jdbc:mysql//db.example/lrs?user=ann&PASSWORD=secret', true],
  ['jdbc:sqlserver//db.example;user=ann;Pwd=secret', true],
  ['jdbc:oracle:thin//db.example?user=ann&passwd=secret', true],
  ['statements.ndjson', false],
  ['C:\\passwords\\statements.ndjson', false],
])('an address that may hold a secret is told by its form: %s, %s', (text, expected) => {
  expect(mayHoldSecret(text)).toBe(expected);
});
