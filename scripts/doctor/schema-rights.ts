import { factsOf } from '../../lib/db/dialects/facts.ts';
import type { ReadSession } from '../../lib/db/types.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

/** What migrations do to a database of MariaDB. */
const neededOnMariadb = ['ALTER', 'CREATE', 'CREATE VIEW', 'DROP', 'INDEX', 'REFERENCES'];

/** Only an administrator of everything has them all globally, so those of the database count too. */
const mariadbRights = `SELECT privilege_type AS name FROM information_schema.schema_privileges
    WHERE DATABASE() LIKE table_schema AND grantee = :login
  UNION SELECT privilege_type FROM information_schema.user_privileges WHERE grantee = :login`;

/** The owner of a table, and members of the owner's role, may alter it. */
const postgresRights = `SELECT has_schema_privilege(current_schema(), 'CREATE') AS "canCreate", current_schema() AS schema,
    (SELECT COUNT(*) FROM pg_class c
      WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
        AND c.relkind IN ('r', 'v') AND NOT pg_has_role(c.relowner, 'USAGE')) AS others`;

/** Whether the user may do what the migrations of a release do; without changing anything. */
export async function schemaRights(session: ReadSession): Promise<readonly Finding[]> {
  switch (factsOf(session.dialect.name).family) {
    case 'postgres':
      return [await onPostgres(session)];
    case 'mariadb':
      return [await onMariadb(session)];
    default:
      return [];
  }
}

const check = 'schema privileges';
const fine = 'Tables can be created and changed, as the migrations of a release do.';

async function onPostgres(session: ReadSession): Promise<Finding> {
  const [row] = await session.select<{ canCreate: boolean; schema: string; others: number }>(postgresRights);
  if (row?.canCreate !== true) {
    return failed(
      check,
      `The user may not create tables, so a server does not start: GRANT CREATE ON SCHEMA ${row?.schema ?? 'public'}.`,
    );
  }
  const others = Number(row.others);
  if (others === 0) return ok(check, fine);
  return warning(
    check,
    `The user does not own ${others} of the tables, so the migrations of a release would fail: ALTER TABLE … OWNER TO this user.`,
  );
}

async function onMariadb(session: ReadSession): Promise<Finding> {
  const [user] = await session.select<{ login: string; role: string | null }>(
    'SELECT CURRENT_USER() AS login, CURRENT_ROLE() AS role',
  );
  const login = grantee(user?.login ?? '');
  const rows = await session.select<{ name: string }>(mariadbRights, { login });
  const granted = new Set(rows.map(({ name }) => name));
  const missing = neededOnMariadb.filter((name) => !granted.has(name));
  if (missing.length === 0) return ok(check, fine);
  // Who has a role may not see what that is granted.
  const unless = user?.role ? ` unless the role ${user.role} has them` : '';
  return warning(
    check,
    `The user lacks ${missing.join(', ')} on the database, so the migrations of a release would fail${unless}: GRANT ALL on it.`,
  );
}

/** A user as the tables of privileges write it, e.g. `'lrs'@'%'`. */
function grantee(login: string): string {
  const at = login.lastIndexOf('@');
  return `'${login.slice(0, at)}'@'${login.slice(at + 1)}'`;
}
