import Joi from 'joi';
import { isHostPattern } from '../../lib/stores/address.ts';
import { flag, integer, list, text } from './kinds.ts';

/** Many stores in one installation: docs/stores.md. */
export const stores = {
  enableStores: flag(
    'Whether there are stores beside the default one, each with a database of its own, at `/stores/NAME/…`: [stores.md](stores.md). For the Node.js server. Excludes `dbPooler`.',
  ).default(false),
  storesHost: text(
    'Host names by which stores are reached, too: `{name}` stands for the name of the store, e.g. `{name}.lrs.example.org`.',
    { kind: 'a host name that begins with `{name}.`' },
  )
    .lowercase()
    .custom((value: string, helpers) => (isHostPattern(value) ? value : helpers.error('any.invalid')))
    .allow(null)
    .default(null),
  storesServers: list(
    Joi.string(),
    'Further database servers for stores, each as `NAME=URL` with a URL as in `database.dbJdbcUrl`; the database that it names must exist. A comma in a URL, as between hosts, is written `%2C`: `second=postgresql://lrs:PASSWORD@db2%2Cdb3/lrs`. `main` is the server of the default store.',
    { secret: true, kind: 'a list of `NAME=URL`' },
  ),
  storesMaxCount: integer('Most stores beside the default one.').min(1).max(100_000).default(1000),
  storesMaxOpen: integer(
    'Most stores that a process has open at the same time. Where all of them are in use, requests to others are answered with 503.',
  )
    .min(1)
    .max(10_000)
    .default(32),
  storesIdleTimeout: integer('How long a store may be idle before its database is closed (ms).')
    .min(1000)
    .default(60_000),
  storesPoolMaximumSize: integer(
    'Database server: most connections of one store, as `poolMaximumSize` for the default one.',
  )
    .min(1)
    .default(2),
};
