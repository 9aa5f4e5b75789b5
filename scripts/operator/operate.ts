import { userInfo } from 'node:os';
import { loadConfigWithSecrets } from '../../config/config.ts';
import type { ConfigSource } from '../../config/sources.ts';
import type { AdminAccount } from '../../lib/accounts/types.ts';
import { longestLabel } from '../../lib/credentials/schema.ts';
import { InvalidError, NotFoundError } from '../../lib/errors.ts';
import { type OpenStore, openStore } from '../../lib/transfer/open-store.ts';
import { scopes as knownScopes, type Scope } from '../../lib/xapi/scopes.ts';
import { commandLogger } from '../command-logger.ts';
import { openExistingStore } from '../existing-database.ts';
import { type Command, type CommandName, UsageError } from '../lrs-arguments.mjs';
import { requireWritable } from '../writable.ts';
import { done, type Outcome } from './outcome.ts';

type Services = OpenStore['services'];
type OperatorCommand = Exclude<CommandName, 'doctor'>;

interface Call {
  readonly services: Services;
  readonly command: Command;
  readonly scopes: readonly Scope[];
  readonly readPassword: () => Promise<string>;
}

/** Does what a command says with the services that the administration uses. @throws LrsError, UsageError */
export async function operate(
  command: Command,
  source: ConfigSource,
  readPassword: () => Promise<string>,
): Promise<Outcome> {
  const scopes = command.scopes.map(scopeNamed);
  const { config, secrets } = await loadConfigWithSecrets(source);
  const onlyReads = readers.has(command.name);
  if (!onlyReads) requireWritable(config);
  const settings = { config, secrets, logger: commandLogger(config.logger.logLevel) };
  const store = await (onlyReads ? openExistingStore(settings) : openStore(settings));
  try {
    return await actions[command.name as OperatorCommand]({
      services: store.services,
      command,
      scopes,
      readPassword,
    });
  } finally {
    await store.close();
  }
}

/** The commands that change nothing. */
const readers: ReadonlySet<CommandName> = new Set(['account list', 'keys list', 'status']);

const actions: Readonly<Record<OperatorCommand, (call: Call) => Promise<Outcome>>> = {
  'account list': listAccounts,
  'account create': createAccount,
  'account password': resetPassword,
  'keys list': listKeys,
  'keys create': createKeys,
  'keys rotate': rotateKeys,
  'keys delete': deleteKeys,
  status: showStatus,
};

async function listAccounts({ services }: Call): Promise<Outcome> {
  const accounts = await services.accounts.list();
  return done(accounts, ...accounts.map(({ id, username }) => `${id}  ${username}`));
}

async function createAccount({
  services,
  command: { operand: username },
  readPassword,
}: Call): Promise<Outcome> {
  const { id } = await services.accounts.create(username, await readPassword());
  await record(services, 'account create', { subject: id, filters: { username } });
  return done({ id, username }, `The account ${username} is created.`);
}

async function resetPassword({
  services,
  command: { operand: username },
  readPassword,
}: Call): Promise<Outcome> {
  const { id } = await accountNamed(services, username);
  await services.accounts.resetPassword(id, await readPassword());
  await record(services, 'account password', { subject: id, filters: { username } });
  return done(
    { id, username },
    `The account ${username} has the new password. All of its logins have ended.`,
  );
}

async function listKeys({ services, command }: Call): Promise<Outcome> {
  const { id } = await accountNamed(services, command.operand);
  const pairs = (await services.credentials.list(id)).map(({ apiKey, scopes, label }) => ({
    apiKey,
    scopes,
    label,
  }));
  return done(
    pairs,
    ...pairs.map(
      ({ apiKey, scopes, label }) => `${apiKey}  ${scopes.join(',') || 'no scopes'}  ${label ?? ''}`,
    ),
  );
}

async function createKeys({ services, scopes, command: { operand, label } }: Call): Promise<Outcome> {
  const account = await accountNamed(services, operand);
  if (label !== null && label.length > longestLabel) {
    throw new InvalidError(`The label has more than ${longestLabel} characters.`);
  }
  const { apiKey, secretKey } = await services.credentials.create(account.id, scopes, label);
  await record(services, 'keys create', { subject: apiKey, filters: { username: account.username } });
  return pairShown({ apiKey, secretKey });
}

async function rotateKeys({ services, command: { operand: apiKey } }: Call): Promise<Outcome> {
  const { secretKey } = await services.credentials.rotate(apiKey);
  await record(services, 'keys rotate', { subject: apiKey });
  return pairShown({ apiKey, secretKey });
}

async function deleteKeys({ services, command: { operand: apiKey } }: Call): Promise<Outcome> {
  await services.credentials.remove(apiKey);
  await record(services, 'keys delete', { subject: apiKey });
  return done({ apiKey }, `The key pair ${apiKey} is deleted.`);
}

async function showStatus({ services }: Call): Promise<Outcome> {
  const [setup, status] = await Promise.all([
    services.settings.describe(),
    services.status.status({
      members: [
        'statement-count',
        'voided-count',
        'actor-count',
        'activity-count',
        'last-statement-stored',
        'consumers',
      ],
      unit: 'day',
    }),
  ]);
  const value = { database: setup.database, ...status };
  const shown = Object.entries({ ...setup.database, ...status });
  return done(value, ...shown.map(([name, member]) => `${name.padEnd(24)}${inWords(member)}`));
}

const inWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const pairShown = (pair: { readonly apiKey: string; readonly secretKey: string }): Outcome =>
  done(pair, `API key     ${pair.apiKey}`, `Secret key  ${pair.secretKey}`);

async function accountNamed({ accounts }: Services, username: string): Promise<AdminAccount> {
  const found = (await accounts.list()).find((account) => account.username === username);
  if (found === undefined) throw new NotFoundError(`There is no account ${username}.`);
  return found;
}

function scopeNamed(name: string): Scope {
  const found = knownScopes.find((scope) => scope === name);
  if (found === undefined) {
    throw new UsageError(`There is no scope ${name}; there are ${knownScopes.join(', ')}.`);
  }
  return found;
}

/** The audit trail names no account: who uses the command line is known to the operating system only. */
async function record(
  { audit }: Services,
  action: string,
  what: { readonly subject: string; readonly filters?: Readonly<Record<string, string>> },
): Promise<void> {
  const client = `command line (${userInfo().username})`;
  await audit.record({
    account: undefined,
    kind: 'change',
    action: `serverless-lrs ${action}`,
    client,
    status: 200,
    ...what,
  });
}
