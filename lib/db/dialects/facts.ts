/** Facts about an engine with a server that are needed before any of its modules is loaded. */
interface ServerFacts {
  readonly name: 'postgres' | 'mariadb';
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
  readonly title: string;
  readonly aliases: readonly string[];
  readonly server: undefined;
}

export type EngineFacts = ServerFacts | FileFacts;
export type EngineName = EngineFacts['name'];
export type ServerEngineName = ServerFacts['name'];

/** Every engine, in the order of lists for people. */
export const engineFacts: readonly EngineFacts[] = [
  { name: 'sqlite', title: 'SQLite', aliases: [], server: undefined },
  {
    name: 'postgres',
    title: 'Postgres',
    aliases: ['postgresql'],
    server: { standardPort: 5432, hasSchemas: true, allowsPooler: true },
  },
  {
    name: 'mariadb',
    title: 'MariaDB',
    aliases: ['mysql'],
    server: { standardPort: 3306, hasSchemas: false, allowsPooler: false },
  },
];

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
