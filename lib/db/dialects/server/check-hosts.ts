import type { HostAddress } from '../../host-address.ts';
import type { HostFault } from '../../host-fault.ts';
import { generalAdvice } from './connection-advice.ts';
import type { ServerEngine } from './engine.ts';
import { onNewConnection } from './liveness.ts';
import { hostsOf, type ServerOptions } from './options.ts';

/** Logs in to each host. @returns those that refuse that or do not respond. */
export async function checkHosts(
  options: ServerOptions,
  load: (options: ServerOptions) => Promise<ServerEngine>,
): Promise<readonly HostFault[]> {
  const { addresses } = hostsOf(options);
  const faultOf = async ({ host, port }: HostAddress): Promise<HostFault[]> => {
    const engine = await load({ ...options, dbHost: host, dbPort: port, replicas: undefined });
    try {
      await onNewConnection(engine, (connection) => connection.select('SELECT 1 AS response'));
      return [];
    } catch (error) {
      const { hosts } = engine;
      return [{ host: hosts.text, reason: engine.advice(error) ?? generalAdvice(error, hosts) }];
    }
  };
  return (await Promise.all(addresses.map(faultOf))).flat();
}
