import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../../lib/backup/client-program.ts';
import { BackupError } from '../../lib/backup/error.ts';
import { backUp, restore } from '../../lib/backup/service.ts';
import { openDatabase } from '../../lib/db/connect.ts';
import type { DatabaseOptions } from '../../lib/db/dialects/engine.ts';
import type { ServerOptions } from '../../lib/db/dialects/server/options.ts';
import type { Database } from '../../lib/db/types.ts';
import { createLogger } from '../../lib/logger.ts';
import { administer, type Engine, serverEngines, sharedEngines, type TestPlace } from '../support/engines.ts';
import { lrsqlInSqlite } from '../support/lrsql-database.ts';
import { agent, batchOf, foundIds, serviceOn, statement } from '../support/statements.ts';

const env = { PATH: process.env.PATH };

const clientPrograms = {
  sqlite: [],
  postgres: ['pg_dump', 'pg_restore'],
  mariadb: ['mariadb-dump', 'mariadb'],
};

/** Whether this machine has what copies a database of this engine. */
function hasPrograms({ family }: Engine): boolean {
  const missing = clientPrograms[family].filter(
    (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status !== 0,
  );
  if (missing.length > 0 && process.env.LRS_TEST_FORBID_SKIP)
    throw new Error(`There is no ${missing.join(' and no ')} on this machine.`);
  return missing.length === 0;
}

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  file = join(folder, 'backup');
});
afterEach(() => rm(folder, { recursive: true }));

async function using<T>(options: DatabaseOptions, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(options, createLogger('OFF'));
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Stores one statement after the other. @returns what ends that, with their ids in the order of the answers. */
function storeOnAndOn(db: Database): { readonly ids: readonly string[]; stop(): Promise<void> } {
  const service = serviceOn(db);
  const ids: string[] = [];
  let isStopped = false;
  const work = async (): Promise<void> => {
    while (!isStopped) ids.push(...(await service.store(batchOf([statement({ actor: agent('ann') })]))));
  };
  const working = work();
  return {
    ids,
    stop: async () => {
      isStopped = true;
      await working;
    },
  };
}

describe.each(sharedEngines.filter(hasPrograms))('a backup of a database on $name', (engine) => {
  /** One with a statement, and an empty one. */
  let place: TestPlace;
  let empty: TestPlace;

  beforeAll(async () => {
    [place, empty] = await Promise.all([engine.reserve(), engine.reserve()]);
    await using(place.options, (db) => serviceOn(db).store(batchOf([statement()])));
  });
  afterAll(() => Promise.all([place.remove(), empty.remove()]));

  const backUpPlace = () => backUp({ options: place.options, file, env });

  it('holds the state of one moment while statements are stored, and is restored into an empty database', async () => {
    const restoredTo = await engine.reserve();
    try {
      await using(place.options, async (db) => {
        const writer = storeOnAndOn(db);
        await expect.poll(() => writer.ids.length).toBeGreaterThan(20);
        const before = writer.ids.length;
        await backUpPlace();
        await writer.stop();
        await restore({ options: restoredTo.options, file, env });
        await using(restoredTo.options, async (restored) => {
          const found = await foundIds(serviceOn(restored), { agent: agent('ann'), ascending: true });
          expect(found.length).toBeGreaterThanOrEqual(before);
          expect(found).toEqual(writer.ids.slice(0, found.length));
          const reported = await restored.read((session) =>
            session.select('SELECT id FROM statement_report WHERE actor = :actor', {
              actor: 'mbox::mailto:ann@example.org',
            }),
          );
          expect(reported).toHaveLength(found.length);
        });
      });
    } finally {
      await restoredTo.remove();
    }
  });

  it('is a new file that only its owner may read, and overwrites none', async () => {
    await backUpPlace();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const content = await readFile(file);
    await expect(backUpPlace()).rejects.toThrow(`${file} exists, and no file is overwritten`);
    expect(await readFile(file)).toEqual(content);
    await expect(
      backUp({ options: place.options, file: join(folder, 'nowhere/backup'), env }),
    ).rejects.toThrow(/The folder .*nowhere does not exist/);
  });

  it('is not restored over a database that exists', async () => {
    await backUpPlace();
    await expect(restore({ options: place.options, file, env })).rejects.toThrow(
      /no database is overwritten/,
    );
  });

  it('is not restored when its end is missing, nor is another file', async () => {
    await backUpPlace();
    const content = await readFile(file);
    await writeFile(file, content.subarray(0, content.length / 2));
    const attempt = { options: empty.options, file, env };
    await expect(restore(attempt)).rejects.toThrow(BackupError);
    await writeFile(file, 'some text');
    await expect(restore(attempt)).rejects.toThrow(BackupError);
    const missing = join(folder, 'nothing');
    await expect(restore({ ...attempt, file: missing })).rejects.toThrow(/nothing can't be read/);
    // What was empty is so still.
    await expect(backUp({ ...attempt, file: missing })).rejects.toThrow(
      /There is no database|has no tables of an LRS/,
    );
    await expect(stat(missing)).rejects.toThrow(/ENOENT/);
  });

  it('is not restored from a folder', async () => {
    await expect(restore({ options: empty.options, file: folder, env })).rejects.toThrow(
      `${folder} is a folder: name the file that \`npm run backup\` has written.`,
    );
  });

  if (engine.family !== 'mariadb')
    it('is restored from a pipe', async () => {
      await backUpPlace();
      const restoredTo = await engine.reserve();
      try {
        const pipe = `${file}.pipe`;
        execFileSync('mkfifo', [pipe]);
        const writing = pipeline(createReadStream(file), createWriteStream(pipe));
        await restore({ options: restoredTo.options, file: pipe, env });
        await writing;
        await using(restoredTo.options, async (db) => {
          expect(await foundIds(serviceOn(db), {})).not.toEqual([]);
        });
      } finally {
        await restoredTo.remove();
      }
    });

  if (engine.family === 'mariadb')
    it('is not restored from a pipe, for whose writer it would wait', async () => {
      execFileSync('mkfifo', [file]);
      await expect(restore({ options: empty.options, file, env })).rejects.toThrow(
        `${file} is no file, and a backup of MariaDB is read twice: write it into a file first.`,
      );
    });
});

it('the file of an lrsql is not restored, and what to do is said', async () => {
  const lrsql = await lrsqlInSqlite(file);
  await lrsql.close();
  const restoring = restore({
    options: { dbType: 'sqlite', dbName: join(folder, 'lrs.sqlite') },
    file,
    env,
  });
  await expect(restoring).rejects.toThrow(
    /is not the database of this LRS.*of lrsql.*npm run import -- --from/,
  );
  expect(await readdir(folder)).toEqual(['backup']);
});

it('a backup of a SQLite database is not restored when an index in it is not that of its table', async () => {
  const dbName = join(folder, 'lrs.sqlite');
  await using({ dbType: 'sqlite', dbName }, (db) =>
    db.write((session) =>
      session.execute(
        "INSERT INTO admin_account (id, username, password_hash) VALUES ('x', 'somebody-unusual', '')",
      ),
    ),
  );
  await backUp({ options: { dbType: 'sqlite', dbName }, file, env });
  const content = await readFile(file);
  content[content.indexOf('somebody-unusual')] = 'S'.charCodeAt(0);
  await writeFile(file, content);
  const options = { dbType: 'sqlite', dbName: join(folder, 'restored.sqlite') } as const;
  await expect(restore({ options, file, env })).rejects.toThrow(/is damaged: .*admin_account/);
  await expect(stat(options.dbName)).rejects.toThrow(/ENOENT/);
});

describe('a restoration of a SQLite database', () => {
  let options: { readonly dbType: 'sqlite'; readonly dbName: string };
  let content: Buffer;

  beforeEach(async () => {
    const source = { dbType: 'sqlite', dbName: join(folder, 'source.sqlite') } as const;
    await using(source, (db) => serviceOn(db).store(batchOf([statement()])));
    await backUp({ options: source, file, env });
    content = await readFile(file);
    await rm(file);
    options = { dbType: 'sqlite', dbName: join(folder, 'restored.sqlite') };
  });

  /** Restores from a pipe, which waits until what is done meanwhile has ended. */
  async function restoring(meanwhile: () => Promise<void>): Promise<unknown> {
    execFileSync('mkfifo', [file]);
    const pipe = await open(file, 'r+');
    const outcome = restore({ options, file, env }).catch((error: unknown) => error);
    await expect.poll(() => existsSync(`${options.dbName}.partial`)).toBe(true);
    await meanwhile();
    await pipe.writeFile(content);
    await pipe.close();
    return outcome;
  }

  it('keeps a database that a server has made meanwhile, and says so', async () => {
    const id = randomUUID();
    const outcome = await restoring(() =>
      using(options, async (db) => {
        await serviceOn(db).store(batchOf([statement({ id })]));
      }),
    );
    expect(outcome).toBeInstanceOf(BackupError);
    expect(String(outcome)).toContain(
      `${options.dbName} exists, and no database is overwritten: stop the server`,
    );
    expect(await readdir(folder)).not.toContain('restored.sqlite.partial');
    await using(options, async (db) => expect(await foundIds(serviceOn(db))).toEqual([id]));
  });

  it.each(['-wal', '-shm', '-journal'])(
    'does not begin beside a file of a former database: %s',
    async (ending) => {
      await writeFile(file, content);
      await writeFile(options.dbName + ending, 'of a former database');
      await expect(restore({ options, file, env })).rejects.toThrow(
        `${options.dbName}${ending} exists, and no database is overwritten: stop the server, and move ${options.dbName} and the files beside it that end in -wal, -shm, -journal to another folder.`,
      );
      await expect(stat(options.dbName)).rejects.toThrow(/ENOENT/);
    },
  );
});

it('a backup of a SQLite database leaves nothing where it is interrupted', async () => {
  const options = { dbType: 'sqlite', dbName: join(folder, 'lrs.sqlite') } as const;
  await using(options, (db) =>
    db.write(async (session) => {
      await session.execute('CREATE TABLE filling (content)');
      await session.execute(
        'WITH RECURSIVE line (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM line WHERE n < 2000) INSERT INTO filling SELECT RANDOMBLOB(50000) FROM line',
      );
    }),
  );
  const interruption = new AbortController();
  const outcome = backUp({ options, file, env, signal: interruption.signal }).catch(
    (error: unknown) => error,
  );
  await expect.poll(() => existsSync(`${file}.partial`), { interval: 1 }).toBe(true);
  const interrupted = new Error('Interrupted.');
  interruption.abort(interrupted);
  expect(await outcome).toBe(interrupted);
  expect((await readdir(folder)).filter((name) => name.startsWith('backup'))).toEqual([]);
});

it.each([backUp, restore])('a database in memory has none', async (command) => {
  await writeFile(file, '');
  await expect(command({ options: { dbType: 'sqlite', dbName: ':memory:' }, file, env })).rejects.toThrow(
    /A database in memory .* can not be backed up/,
  );
});

describe.skipIf(serverEngines.length === 0).each(serverEngines)('the client programs of $name', (engine) => {
  const [program = '', restoringProgram = ''] = clientPrograms[engine.family];
  const user = `lrs_${randomUUID().slice(0, 8)}`;
  const dbPassword = 'hidden-word';
  let options: ServerOptions;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const place = await engine.reserve();
    if (place.options.dbType === 'sqlite') throw new Error('There is no server.');
    const { dbName } = place.options;
    const administrator = place.options;
    await using(administrator, async () => {});
    const [accounts, removal] =
      engine.family === 'postgres'
        ? [[`CREATE ROLE ${user} SUPERUSER LOGIN PASSWORD '${dbPassword}'`], `DROP ROLE ${user}`]
        : [
            [`CREATE USER ${user} IDENTIFIED BY '${dbPassword}'`, `GRANT ALL ON ${dbName}.* TO ${user}`],
            `DROP USER ${user}`,
          ];
    for (const sql of accounts) await administer(administrator, sql);
    options = { ...administrator, dbUser: user, dbPassword };
    remove = async () => {
      await place.remove();
      await administer(administrator, removal);
    };
  });
  afterAll(() => remove());

  /** Puts a program before the installed one. */
  async function replaceWith(script: string, name = program): Promise<Environment> {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    return { PATH: `${folder}:${process.env.PATH}` };
  }

  it('are named when they are missing', async () => {
    await expect(backUp({ options, file, env: { PATH: folder } })).rejects.toThrow(
      `The program ${program} is not installed: install the client programs`,
    );
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
  });

  it('get the password in their environment and not among their arguments', async () => {
    const path = await replaceWith(`{ echo "$@"; echo ---; env; } > '${join(folder, 'seen')}'`);
    await backUp({ options, file, env: { ...path, LRS_DB_PASSWORD: dbPassword, PGSERVICE: 'other' } });
    const [args, variables = ''] = (await readFile(join(folder, 'seen'), 'utf8')).split('---\n');
    expect(args).toContain(`${file}.partial`);
    expect(args).not.toContain(dbPassword);
    expect(variables.split('\n').filter((line) => line.includes(dbPassword))).toEqual([
      `${engine.family === 'postgres' ? 'PGPASSWORD' : 'MYSQL_PWD'}=${dbPassword}`,
    ]);
    expect(variables).not.toContain('PGSERVICE');
  });

  it('report why they fail, and nothing stays behind', async () => {
    const path = await replaceWith('echo "the disk is full" >&2; exit 1');
    await expect(backUp({ options, file, env: path })).rejects.toThrow(/failed:\nthe disk is full/);
    await expect(stat(file)).rejects.toThrow(/ENOENT/);
    await expect(stat(`${file}.partial`)).rejects.toThrow(/ENOENT/);
  });

  /** Interrupts a command whose program never ends. @returns what it throws. */
  async function interrupting(
    command: typeof backUp,
    name: string,
    database: ServerOptions,
  ): Promise<unknown> {
    const seen = join(folder, 'process');
    const path = await replaceWith(
      `echo $$ > '${seen}.new'; mv '${seen}.new' '${seen}'; exec sleep 600`,
      name,
    );
    const interruption = new AbortController();
    const outcome = command({ options: database, file, env: path, signal: interruption.signal }).catch(
      (error: unknown) => error,
    );
    await expect.poll(() => existsSync(seen)).toBe(true);
    interruption.abort(new Error('Interrupted.'));
    const thrown = await outcome;
    const id = Number(await readFile(seen, 'utf8'));
    expect(() => process.kill(id, 0)).toThrow(/ESRCH/);
    return thrown;
  }

  it('are ended with a backup that is interrupted, and nothing stays behind', async () => {
    expect(String(await interrupting(backUp, program, options))).toBe('Error: Interrupted.');
    expect((await readdir(folder)).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  it('are ended with a restoration that is interrupted', async () => {
    await backUp({ options, file, env });
    const empty = await engine.reserve();
    try {
      if (empty.options.dbType === 'sqlite') throw new Error('There is no server.');
      const thrown = String(await interrupting(restore, restoringProgram, empty.options));
      expect(thrown).toMatch(
        engine.family === 'postgres'
          ? /^Error: Interrupted\.$/
          : /^BackupError: Interrupted\.\nThe database .* may have a part of the backup: drop and create it/,
      );
    } finally {
      await empty.remove();
    }
  });
});
