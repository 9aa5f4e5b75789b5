import { parseArgs } from 'node:util';

export const usage =
  'npm start [-- --workers N], npm run start:memory, start:postgres or start:mariadb [-- --workers N]: N processes on one port.';

export const modes = ['memory', 'postgres', 'mariadb'] as const;
export type Mode = (typeof modes)[number];

export interface ServeArguments {
  /** The settings that the start mode stands for; they count before all others. */
  readonly settings: Readonly<Record<string, string>>;
  /** How many processes serve. */
  readonly workers: number;
}

const settingsOf: Readonly<Record<Mode, Readonly<Record<string, string>>>> = {
  memory: { LRS_DB_TYPE: 'sqlite', LRS_DB_NAME: ':memory:' },
  postgres: { LRS_DB_TYPE: 'postgres' },
  mariadb: { LRS_DB_TYPE: 'mariadb' },
};

/** What stands after the name of the program. @throws Error with a sentence for the person who typed it. */
export function readArguments(args: readonly string[]): ServeArguments {
  const { values } = parse(args);
  const { db, workers = '1' } = values;
  if (!/^[1-9]\d{0,2}$/.test(workers)) throw new Error(`--workers must be a number from 1 to 999. ${usage}`);
  if (db === undefined) return { settings: {}, workers: Number(workers) };
  const mode = modes.find((each) => each === db);
  if (mode === undefined) throw new Error(`--db must be ${modes.join(', ')}. ${usage}`);
  return { settings: settingsOf[mode], workers: Number(workers) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { db: { type: 'string' }, workers: { type: 'string' } } });
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${reason.replace(/\.$/, '')}. ${usage}`, { cause: error });
  }
}
