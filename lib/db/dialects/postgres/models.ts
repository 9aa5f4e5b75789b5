import type pgModule from 'pg';
import type { Model, Sequelize, UpdateOptions } from 'sequelize';
import { withNul, withoutNul } from './array.ts';

/** The object identifiers of the types of text, fixed in Postgres' catalog. */
const textTypes: ReadonlySet<number> = new Set([25, 1042, 1043, 19]);

/** Its object identifier, fixed in Postgres' catalog. */
const int8 = 20;

/** How our own SQL reads values: numbers as numbers, texts exactly as they were bound. */
export function typesOf(driver: typeof pgModule): pgModule.CustomTypesConfig {
  const parserOf = keepingTexts(driver);
  return {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === int8 ? Number : parserOf(oid, format),
  };
}

/** The driver's choice of a parser, except for texts. */
function keepingTexts({ types }: typeof pgModule) {
  return (oid: number, format?: 'text' | 'binary') =>
    textTypes.has(oid) ? withNul : types.getTypeParser(oid, format);
}

type Values = Record<string, unknown>;

/** Makes models write texts as our own SQL does; Sequelize itself would replace U+0000. */
export function keepTexts(sequelize: Sequelize): void {
  sequelize.addHook('beforeSave', (instance: Model<Values>) => {
    encode(instance.dataValues);
  });
  // Sequelize does not declare that these options hold what is to be written.
  sequelize.addHook('beforeBulkUpdate', (options: UpdateOptions & { attributes?: Values }) => {
    encode(options.attributes ?? {});
  });
}

function encode(values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'string') values[name] = withoutNul(value);
  }
}

/** Milliseconds without traffic after which TCP keep-alive probes the server. */
const keepAliveDelay = 30_000;

/**
 * Connections that pipeline queries. One that breaks while it is idle must not end the process; its next user gets the
 * error.
 */
export function clientClass(driver: typeof pgModule): new (config: pgModule.ClientConfig) => pgModule.Client {
  return class Client extends driver.Client {
    constructor(config: pgModule.ClientConfig) {
      super({ ...config, pipeline: true, keepAliveInitialDelayMillis: keepAliveDelay });
      this.on('error', () => undefined);
    }
  };
}

/**
 * The driver as Sequelize uses it, with texts exactly as they were bound.
 * @param onLogin called when the server has accepted a connection, before Sequelize sends its own first queries.
 */
export function driverModule(driver: typeof pgModule, onLogin: (client: pgModule.Client) => void): object {
  const Base = clientClass(driver);
  class Client extends Base {
    constructor(config: pgModule.ClientConfig) {
      super(config);
      this.once('connect', () => onLogin(this));
    }
  }
  const { types } = driver;
  return { ...driver, Client, types: { ...types, getTypeParser: keepingTexts(driver) } };
}
