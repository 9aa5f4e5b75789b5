import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { printTo } from '../../../scripts/operator/print-to.ts';

it('lines are printed one below the other', async () => {
  const stream = new PassThrough();
  const print = printTo(stream);
  await print('one');
  await print('two');
  stream.end();
  expect(await text(stream)).toBe('one\ntwo\n');
});

it('a line that is not written is an error of its own, and no other one', async () => {
  const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('ENOSPC')) });
  const print = printTo(full);
  await expect(print('one')).rejects.toThrow('ENOSPC');
  await expect(print('two')).rejects.toThrow();
});
