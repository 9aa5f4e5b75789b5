import { loadConfigWithSecrets } from '../../config/config.ts';
import type { ConfigSource } from '../../config/sources.ts';
import type { AdminAccount } from '../../lib/accounts/types.ts';
import { longestLabel } from '../../lib/credentials/schema.ts';
import type { KeyPair } from '../../lib/credentials/service.ts';
import { InvalidError, NotFoundError } from '../../lib/errors.ts';
import { type OpenStore, openStore } from '../../lib/transfer/open-store.ts';
import { scopes as knownScopes, type Scope } from '../../lib/xapi/scopes.ts';
import { commandLogger } from '../command-logger.ts';
import { openExistingStore } from '../existing-database.ts';
import { type Command, type CommandName, UsageError } from '../lrs-arguments.mjs';
import { requireWritable } from '../writable.ts';
import { audited, type CommandEnd, commandAct } from './audited.ts';
import { done, type Outcome, type Show } from './outcome.ts';
import { showStatus } from './status.ts';

type Services = OpenStore['services'];
type OperatorCommand = Exclude<CommandName, 'doctor'>;

interface Call {
  readonly store: OpenStore;
  readonly services: Services;
  readonly command: Command;
  readonly scopes: readonly Scope[];
  readonly readPassword: () => Promise<string>;
  readonly show: Show;
}

/** Does what a command says with the services that the administration uses, and shows it. @throws LrsError, UsageError */
export async function operate(
  command: Command,
  source: ConfigSource,
  { readPassword, show }: Pick<Call, 'readPassword' | 'show'>,
): Promise<void> {
  const scopes = command.scopes.map(scopeNamed);
  const { config, secrets } = await loadConfigWithSecrets(source);
  const onlyReads = readers.has(command.name);
  if (!onlyReads) requireWritable(config);
  const settings = { config, secrets, logger: commandLogger(config.logger.logLevel) };
  const store = await (onlyReads ? openExistingStore(settings) : openStore(settings));
  try {
    await actions[command.name as OperatorCommand]({
      store,
      services: store.services,
      command,
      scopes,
      readPassword,
      show,
    });
  } finally {
    await store.close();
  }
}

/** The commands that change nothing. */
const readers: ReadonlySet<CommandName> = new Set(['account list', 'keys list', 'status']);

const actions: Readonly<Record<OperatorCommand, (call: Call) => Promise<void>>> = {
  'account list': listAccounts,
  'account create': createAccount,
  'account password': resetPassword,
  'keys list': listKeys,
  'keys create': createKeys,
  'keys rotate': rotateKeys,
  'keys delete': deleteKeys,
  status: ({ store, show }) => showStatus(store, show),
};

async function listAccounts({ services, show }: Call): Promise<void> {
  const accounts = await services.accounts.list();
  await show(done(accounts, ...accounts.map(({ id, username }) => `${id}  ${username}`)));
}

async function createAccount(call: Call): Promise<void> {
  const { operand: username } = call.command;
  const password = await call.readPassword();
  await changing(call, { filters: { username } }, async (end) => {
    const { id } = await call.services.accounts.create(username, password);
    end.subject = id;
    return done({ id, username }, `The account ${username} is created.`);
  });
}

async function resetPassword(call: Call): Promise<void> {
  const { operand: username } = call.command;
  const { id } = await accountNamed(call.services, username);
  const password = await call.readPassword();
  await changing(call, { subject: id, filters: { username } }, async () => {
    await call.services.accounts.resetPassword(id, password);
    return done(
      { id, username },
      `The account ${username} has the new password. All of its logins have ended.`,
    );
  });
}

async function listKeys({ services, command, show }: Call): Promise<void> {
  const { id } = await accountNamed(services, command.operand);
  const pairs = (await services.credentials.list(id)).map(({ apiKey, scopes, label }) => ({
    apiKey,
    scopes,
    label,
  }));
  const lines = pairs.map(
    ({ apiKey, scopes, label }) => `${apiKey}  ${scopes.join(',') || 'no scopes'}  ${label ?? ''}`,
  );
  await show(done(pairs, ...lines));
}

async function createKeys(call: Call): Promise<void> {
  const { operand, label } = call.command;
  const account = await accountNamed(call.services, operand);
  if (label !== null && label.length > longestLabel) {
    throw new InvalidError(`The label has more than ${longestLabel} characters.`);
  }
  await changing(call, { filters: { username: account.username } }, async (end) => {
    const caller = { account, token: undefined };
    const pair = await call.services.credentials.create(caller, call.scopes, label);
    end.subject = pair.apiKey;
    return pairShown(pair);
  });
}

async function rotateKeys(call: Call): Promise<void> {
  const { operand: apiKey } = call.command;
  await changing(call, { subject: apiKey }, async () =>
    pairShown(await call.services.credentials.rotate(apiKey)),
  );
}

async function deleteKeys(call: Call): Promise<void> {
  const { operand: apiKey } = call.command;
  await changing(call, { subject: apiKey }, async () => {
    await call.services.credentials.remove(apiKey);
    return done({ apiKey }, `The key pair ${apiKey} is deleted.`);
  });
}

const pairShown = ({ apiKey, secretKey }: KeyPair): Outcome =>
  done({ apiKey, secretKey }, `API key     ${apiKey}`, `Secret key  ${secretKey}`);

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

/**
 * Changes something that the audit trail has before it is changed. What has become of it is shown at once: only here is a new
 * secret key shown, and what follows may last, fail or be interrupted.
 */
function changing(
  { services, command, show }: Call,
  what: { readonly subject?: string; readonly filters?: Readonly<Record<string, string>> },
  change: (end: CommandEnd) => Promise<Outcome>,
): Promise<void> {
  return audited(services.audit, { ...commandAct(command.name, 'change'), ...what }, async (end) => {
    await show(await change(end));
  });
}
