import { describe, expect, it } from 'vitest';
import { readExportArguments, readImportArguments } from '../../../scripts/transfer-arguments.mjs';

describe('the arguments of npm run import', () => {
  it('name a source and how it is stored', () => {
    expect(
      readImportArguments(['--from', 'file', '--trusted', '--merge', '--dry-run', '--db', 'postgres']),
    ).toMatchObject({
      ...{ from: 'file', to: undefined, trusted: true, merge: true, dryRun: true, report: true },
      settings: { LRS_DB_TYPE: 'postgres' },
    });
  });

  it('name folders with what Learning Locker keeps beside its database', () => {
    expect(
      readImportArguments(['--from', 'dump', '--lrs', 'id', '--files', 'f', '--attachments', 'a']),
    ).toMatchObject({ lrs: 'id', files: 'f', attachments: 'a' });
  });

  it('may leave addresses with secrets to the environment', () => {
    const env = { IMPORT_FROM: 'https://k:s@a.example/xapi', IMPORT_TO: 'https://k:s@b.example/xapi' };
    expect(readImportArguments([], env)).toMatchObject({ from: env.IMPORT_FROM, to: env.IMPORT_TO });
    expect(readImportArguments(['--from', 'file'], env)).toMatchObject({ from: 'file' });
  });

  it.each([
    [[], '--from'],
    [['--from', 'x', '--to', 'lrs.example'], '--to must be the address'],
    [['--from', 'x', '--to', 'https://lrs.example/xapi', '--trusted'], '--trusted needs the database'],
    [['--from', 'x', '--frmo'], '--frmo'],
    [['--from', 'x', '--merge'], '--merge is for --trusted'],
  ])('%j are refused', (args, message) => {
    expect(() => readImportArguments(args)).toThrow(message);
  });
});

describe('the arguments of npm run export', () => {
  it('name a file and what it is to hold', () => {
    expect(readExportArguments(['x.gz', '--with-secrets'])).toEqual({
      ...{ file: 'x.gz', secrets: true, plain: false, settings: {} },
    });
  });

  it.each([
    [[], 'Name one file'],
    [['a', 'b'], 'Name one file'],
    [['a', '--plain', '--with-secrets'], 'no secrets'],
  ])('%j are refused', (args, message) => {
    expect(() => readExportArguments(args)).toThrow(message);
  });
});
