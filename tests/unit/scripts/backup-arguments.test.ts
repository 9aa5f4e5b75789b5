import { describe, expect, it } from 'vitest';
import { serverEngineNames } from '../../../lib/db/dialects/facts.ts';
import { readBackupArguments } from '../../../scripts/backup-arguments.mjs';

/** Of an engine that there is not: the sentence names those that there are. */
const refusalOf = (usage: string) => `--db must be ${['memory', ...serverEngineNames].join(', ')}. ${usage}`;

describe('the arguments of a backup and of a restore', () => {
  it('name the command, one file and, if need be, the kind of database', () => {
    expect(readBackupArguments(['backup', 'a.sqlite'])).toEqual({
      command: 'backup',
      file: 'a.sqlite',
      settings: {},
    });
    expect(readBackupArguments(['restore', '--db', 'postgres', 'a.dump'])).toEqual({
      command: 'restore',
      file: 'a.dump',
      settings: { LRS_DB_TYPE: 'postgres' },
    });
  });

  it.each(serverEngineNames)('may name %s as the kind of database', (name) => {
    expect(readBackupArguments(['backup', 'a', '--db', name]).settings).toEqual({ LRS_DB_TYPE: name });
  });

  it.each([
    [['backup'], /Name one file: npm run backup -- FILE/],
    [['restore', 'a', 'b'], /Name one file: npm run restore -- FILE/],
    [['backup', ''], /Name one file/],
    [['backup', 'a', '--password', 'b'], /^Unknown option '--password'.*npm run backup/],
    [['backup', 'a', '--db', 'oracle'], refusalOf('npm run backup -- FILE')],
    [['a'], /The command is backup or restore/],
  ])('%o are refused with a sentence', (args, sentence) => {
    expect(() => readBackupArguments(args)).toThrow(sentence);
  });
});
