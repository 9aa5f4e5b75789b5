/** Facts about an engine with a server that are needed before any of its modules is loaded. */
interface ServerFacts {
  readonly name: 'postgres' | 'mariadb';
  /** The engine whose SQL and protocol its server understands: its own name, or that of the one it is compatible with. */
  readonly family: 'postgres' | 'mariadb';
  /** Its name in sentences. */
  readonly title: string;
  /** Other names for it in the configuration. */
  readonly aliases: readonly string[];
  readonly server: {
    readonly standardPort: number;
    /** Whether a database contains schemas, one of which may hold the tables. */
    readonly hasSchemas: boolean;
    /** Whether it works behind a transaction-level connection pooler. */
    readonly allowsPooler: boolean;
  };
}

/** The same for an engine whose database is a file or is in the memory of the process. */
interface FileFacts {
  readonly name: 'sqlite';
  readonly family: 'sqlite';
  readonly title: string;
  readonly aliases: readonly string[];
  readonly server: undefined;
}

export type EngineFacts = ServerFacts | FileFacts;
export type EngineName = EngineFacts['name'];
export type ServerEngineName = ServerFacts['name'];
export type EngineFamily = EngineFacts['family'];

/** Every engine, in the order of lists for people. */
export const engineFacts: readonly EngineFacts[] = [
  { name: 'sqlite', family: 'sqlite', title: 'SQLite', aliases: [], server: undefined },
  {
    name: 'postgres',
    family: 'postgres',
    title: 'Postgres',
    aliases: ['postgresql'],
    server: { standardPort: 5432, hasSchemas: true, allowsPooler: true },
  },
  {
    name: 'mariadb',
    family: 'mariadb',
    title: 'MariaDB',
    aliases: ['mysql'],
    server: { standardPort: 3306, hasSchemas: false, allowsPooler: false },
  },
];

/** The names of the engines with a server. */
export const serverEngineNames: readonly ServerEngineName[] = engineFacts.flatMap(({ name, server }) =>
  server === undefined ? [] : [name],
);

/** The engine names that the configuration accepts. */
export const configuredEngineNames: readonly string[] = engineFacts.flatMap(({ name, aliases }) => [
  name,
  ...aliases,
]);

/** Whether an engine has that name or alias. */
export const isEngineName = (name: string): boolean => configuredEngineNames.includes(name);

/** The engine of that name or alias. @throws Error when there is none. */
export function factsOf(name: string): EngineFacts {
  const found = engineFacts.find((facts) => facts.name === name || facts.aliases.includes(name));
  if (found === undefined) throw new Error(`There is no engine named ${name}.`);
  return found;
}

/** Whether these are options of a database on a server. */
export function isOnServer<Options extends { readonly dbType: EngineName }>(
  options: Options,
): options is Extract<Options, { readonly dbType: ServerEngineName }> {
  return factsOf(options.dbType).server !== undefined;
}
