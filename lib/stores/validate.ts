import { brokenRules } from '../accounts/rules.ts';
import { type ErrorDetail, InvalidError } from '../errors.ts';
import { defaultStoreName, isStoreName, longestStoreName } from './address.ts';
import type { NewStore, Store } from './types.ts';

const nameRule = `must have 1 to ${longestStoreName} small letters, digits and hyphens, and no hyphen at its ends`;
const reservedName = `must not be ${defaultStoreName}, by which people mean the store without a name`;

/** What a store may be, by the configuration. */
export interface StoreRules {
  /** The names of the database servers. */
  readonly servers: readonly string[];
  /** `stmtGetMax` of stores that have none of their own. */
  readonly largestPage: number;
}

/** @throws InvalidError for a name, a server or settings that can't be, or an account against the rules. */
export function validateStore(
  { servers, largestPage }: StoreRules,
  { name, server, settings }: Pick<Store, 'name' | 'server' | 'settings'>,
  account?: NewStore['account'],
): void {
  const details: ErrorDetail[] = [];
  if (account !== undefined) {
    if (!isStoreName(name)) details.push({ path: 'name', message: nameRule });
    if (name === defaultStoreName) details.push({ path: 'name', message: reservedName });
    if (!servers.includes(server)) {
      const message = `must be one of ${servers.join(', ')} (stores.storesServers)`;
      details.push({ path: 'server', message });
    }
    for (const { path, message } of brokenRules(account.username, account.password)) {
      details.push({ path: `account.${path}`, message });
    }
  }
  const { stmtGetDefault, stmtGetMax = largestPage } = settings;
  if (stmtGetDefault !== undefined && stmtGetDefault > stmtGetMax) {
    const message = `must be at most stmtGetMax, which is ${stmtGetMax} for this store`;
    details.push({ path: 'settings.stmtGetDefault', message });
  }
  if (details.length === 0) return;
  throw new InvalidError(details.map(({ path, message }) => `${path} ${message}`).join('; '), { details });
}
