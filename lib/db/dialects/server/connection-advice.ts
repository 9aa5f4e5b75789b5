import { driverCode, driverError } from '../driver-error.ts';
import type { DatabaseHosts } from './hosts.ts';
import { isConnectTimeout, isUnreachable, NotPrimaryError, SilentHostsError } from './network-error.ts';

/** A server as the sentences name it. */
export interface NamedServer {
  readonly name: 'Postgres' | 'MariaDB';
  readonly hosts: DatabaseHosts;
}

const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN']);
/** Nothing listens there, or the address leads nowhere. */
const nobodyThere = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT']);
/** Certificate errors, by the names of Node, OpenSSL and the `mariadb` driver. */
const distrusted =
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|HOSTNAME_MISMATCH|ER_TLS_IDENTITY_ERROR/;
const withoutTls = /^(The server does not support SSL connections|Trying to connect with ssl, but ssl not)/;
/** The `pg` driver's message about bytes that no Postgres server sends. */
const foreign =
  /^(Received unexpected|received invalid response|There was an error establishing an SSL|Unknown authentication)/;

/** Advice about a connection failure that any server may cause; undefined for others. */
export function connectionAdvice(error: unknown, { name, hosts }: NamedServer): string | undefined {
  const at = hosts.placeOf(error);
  const address = hosts.setting ?? 'dbHost and dbPort';
  const own = driverError(error);
  const message = own instanceof Error ? own.message : '';
  const code = driverCode(error);
  if (error instanceof NotPrimaryError) return noPrimary({ name, hosts });
  if (error instanceof SilentHostsError) {
    return `None of the ${name} servers answers, tried were ${error.tried}: start one, or check ${settingOf(hosts)} and the network.`;
  }
  if (unknownHost.has(code)) {
    const which = hosts.areSeveral ? 'One of the hosts' : 'The host';
    return `${which} ${hosts.names} is not known: check ${settingOf(hosts)}.`;
  }
  if (nobodyThere.has(code)) return `No ${name} answers at ${at}: start it, or check ${address}.`;
  if (withoutTls.test(message)) {
    return `${name} at ${at} offers no TLS: switch it on there, or set sslMode=disable in dbProperties (LRS_DB_PROPERTIES).`;
  }
  if (distrusted.test(code)) {
    return `The certificate of ${name} at ${at} is not trusted or does not name this host (${code}): set sslRootCert in dbProperties (LRS_DB_PROPERTIES) to the file of its authority and dbHost to a name in the certificate, or set a sslMode that verifies less.`;
  }
  if (foreign.test(message)) return `Something other than ${name} answers at ${at}: check ${address}.`;
  if (isUnreachable(error) || isConnectTimeout(error)) {
    return `${name} does not answer at ${at} in time: a query takes too long or waits for a lock, the server is overloaded, or another program listens there (check ${address}).`;
  }
  return undefined;
}

const settingOf = ({ setting = 'dbHost' }: DatabaseHosts): string => setting;

const noPrimary = ({ name, hosts }: NamedServer): string =>
  `None of the ${name} servers at ${hosts.text} accepts writes: promote one of them, or check ${settingOf(hosts)}.`;

/** Advice about a server that refuses a write. @param state what makes it do so, and how that is ended. */
export function readOnlyAdvice({ name, hosts }: NamedServer, state: string): string {
  if (hosts.areSeveral) return noPrimary({ name, hosts });
  return `${name} at ${hosts.text} ${state}, or name the server that accepts writes in ${settingOf(hosts)}.`;
}

/** For a connection failure without specific advice. */
export function generalAdvice(error: unknown, { setting }: DatabaseHosts): string {
  const code = driverCode(error);
  const reason = code === '' ? '' : ` (${code})`;
  return `The connection to the database server failed${reason}: check ${setting ?? 'dbHost, dbPort, dbUser and dbProperties'}, and the server's log.`;
}
