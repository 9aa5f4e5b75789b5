import { describe, expect, it } from 'vitest';
import { serverEngineNames } from '../../../lib/db/dialects/facts.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { readArguments } from '../../../scripts/serve-arguments.mjs';

describe('the arguments of the server', () => {
  it('name a start mode and a number of processes', () => {
    expect(readArguments([])).toEqual({ settings: {}, workers: 1 });
    expect(readArguments(['--db', 'postgres', '--workers', '4'])).toEqual({
      settings: { LRS_DB_TYPE: 'postgres' },
      workers: 4,
    });
    expect(readArguments(['--db', 'memory']).settings).toEqual({
      LRS_DB_TYPE: 'sqlite',
      LRS_DB_NAME: ':memory:',
    });
  });

  it.each(serverEngineNames)('name every engine with a server, for which there is a command: %s', (name) => {
    expect(readArguments(['--db', name]).settings).toEqual({ LRS_DB_TYPE: name });
    expect(packageJson.scripts).toHaveProperty([`start:${name}`], `node scripts/start.mjs --db ${name}`);
  });

  it.each([
    [['--workers', '0'], /--workers must be a number from 1/],
    [['--workers', 'two'], /--workers must be a number from 1/],
    [['--db', 'oracle'], `--db must be ${['memory', ...serverEngineNames].join(', ')}. npm start`],
    [['--wrokers', '2'], /^Unknown option '--wrokers'\. npm start/],
    [['--workers'], /^Option '--workers <value>' argument missing\. npm start/],
    [['four'], /'four'\. .*arguments\. npm start/],
  ])('%o are refused with a sentence', (args, sentence) => {
    expect(() => readArguments(args)).toThrow(sentence);
  });
});
