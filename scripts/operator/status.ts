import type { Config } from '../../config/types.ts';
import { isOnServer } from '../../lib/db/dialects/facts.ts';
import type { ReplicaStatus } from '../../lib/db/replica-status.ts';
import type { StatusMember } from '../../lib/status/types.ts';
import { countByState } from '../../lib/stores/count-by-state.ts';
import type { OpenStore } from '../../lib/transfer/open-store.ts';
import { done, type Show } from './outcome.ts';

const always = [
  'statement-count',
  'voided-count',
  'actor-count',
  'activity-count',
  'last-statement-stored',
  'consumers',
] as const satisfies readonly StatusMember[];

/** Shows what the store contains; hosts, replicas and stores where the configuration has several or any. */
export async function showStatus({ db, config, services }: OpenStore, show: Show): Promise<void> {
  const { hosts, readHosts } = placesOf(config);
  const [setup, { 'database-server': server, replicas, ...contents }, stores] = await Promise.all([
    services.settings.describe(),
    services.status.status({
      members: [...always, 'database-server', ...(readHosts === undefined ? [] : (['replicas'] as const))],
      unit: 'day',
    }),
    config.stores.enableStores ? db.read(countByState) : undefined,
  ]);
  const beyond = {
    ...(hosts !== undefined && { 'database-server': server ?? null }),
    ...(replicas !== undefined && { replicas }),
    ...(stores !== undefined && { stores }),
  };
  const shown = {
    ...setup.database,
    ...contents,
    ...(hosts !== undefined && { 'database-server': `${server ?? 'none'}, of ${hosts} (dbHost)` }),
    ...(replicas !== undefined && { replicas: replicas.map(replicaInWords).join('; ') }),
    ...(stores !== undefined && { stores: storesInWords(stores) }),
  };
  const lines = Object.entries(shown).map(([name, member]) => `${name.padEnd(24)}${inWords(member)}`);
  await show(done({ database: setup.database, ...contents, ...beyond }, ...lines));
}

/** The hosts of the database, where there are several, and those of its replicas, where there are any. */
function placesOf({ database }: Config): { readonly hosts?: string; readonly readHosts?: string } {
  if (!isOnServer(database)) return {};
  const { dbHost, replicas } = database;
  return {
    ...(dbHost.includes(',') && { hosts: dbHost }),
    ...(replicas !== undefined && { readHosts: replicas.hosts }),
  };
}

const replicaInWords = ({ host, state, lag }: ReplicaStatus): string =>
  `${host} ${state}${lag === null ? '' : `, ${lag} ms behind`}`;

function storesInWords(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  return words.length === 0 ? 'none' : words.join(', ');
}

const inWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
