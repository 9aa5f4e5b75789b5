/** What is known of an engine on a server before any of its modules is loaded. */
interface ServerFacts {
  readonly name: 'postgres' | 'mariadb';
  /** As sentences name it. */
  readonly title: string;
  /** Other names for it in the configuration. */
  readonly aliases: readonly string[];
  readonly server: {
    readonly standardPort: number;
    /** Whether a database holds schemas, one of which may hold the tables. */
    readonly hasSchemas: boolean;
    /** Whether it works behind a pooler that gives each transaction another connection. */
    readonly allowsPooler: boolean;
  };
}

/** The same of an engine whose database is a file, or lies in the memory of the process. */
interface FileFacts {
  readonly name: 'sqlite';
  readonly title: string;
  readonly aliases: readonly string[];
  readonly server: undefined;
}

export type EngineFacts = ServerFacts | FileFacts;
export type EngineName = EngineFacts['name'];
export type ServerEngineName = ServerFacts['name'];

/** Every engine; the order is that of lists for people. */
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

/** The names that the configuration takes for engines. */
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
