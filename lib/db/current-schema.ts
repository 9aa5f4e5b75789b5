import { firstMigration, latestMigration } from '../../migrations/latest.ts';
import { UnavailableError } from '../errors.ts';
import { ForeignSchemaError, selectOwnTables } from './foreign-tables.ts';
import type { Database } from './types.ts';
import { developmentSchema } from './unusable.ts';

/** The schema version, and the secret that `npm run migrate` or a start has created. */
const openingSql = `SELECT (SELECT MIN(name) FROM schema_migration) AS first,
  (SELECT MAX(name) FROM schema_migration) AS version,
  (SELECT content FROM server_secret WHERE name = 'server') AS secret`;

interface OpeningRow {
  readonly first: string | null;
  readonly version: string | null;
  readonly secret: Buffer | null;
}

/**
 * The random secret of a database whose schema is that of this release; nothing is changed.
 * @throws UnavailableError when the schema is another one.
 */
export async function currentSecret(db: Pick<Database, 'read' | 'dialect'>): Promise<Buffer> {
  const { first, version, secret } = await readOpening(db);
  if (version === null) await refuseForeignTables(db);
  if (first !== null && first !== firstMigration) throw new UnavailableError(developmentSchema);
  if (version === latestMigration && secret !== null) return secret;
  if (version !== null && version > latestMigration) {
    throw new UnavailableError(
      `The schema of the database (${version}) is newer than this release (${latestMigration}): deploy the release whose \`npm run migrate\` made it.`,
    );
  }
  throw new UnavailableError(
    `The schema of the database (${version ?? 'none'}) is older than this release (${latestMigration}): run \`npm run migrate\`.`,
  );
}

/** @throws UnavailableError when the tables are those of another program. */
async function refuseForeignTables(db: Pick<Database, 'read' | 'dialect'>): Promise<void> {
  await db.read(selectOwnTables).catch((cause: unknown) => {
    if (!(cause instanceof ForeignSchemaError)) throw cause;
    throw new UnavailableError('The database belongs to another program.', { cause });
  });
}

const noOpening: OpeningRow = { first: null, version: null, secret: null };

async function readOpening(db: Pick<Database, 'read' | 'dialect'>): Promise<OpeningRow> {
  try {
    const [row] = await db.read((session) => session.select<OpeningRow>(openingSql));
    return row ?? noOpening;
  } catch (error) {
    if (db.dialect.isMissingTable(error)) return noOpening;
    throw error;
  }
}
