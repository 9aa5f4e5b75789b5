import type { Sequelize } from 'sequelize';
import { showGauge } from '../../../telemetry/gauges.ts';
import type { HostAddress } from '../../host-address.ts';
import type { DriverConnection } from './engine.ts';

/** What Sequelize's connection manager has and does not declare. */
interface ConnectionManager {
  readonly pool: {
    readonly available: number;
    readonly using: number;
    readonly waiting: number;
  };
  connect(config: object): Promise<DriverConnection>;
}

interface Login extends HostAddress {
  readonly password?: string;
}

/** Opens a connection as Sequelize does. */
type Connect = (login: Login) => Promise<DriverConnection>;

/** Has the function open each connection of Sequelize's pool, which gives the same configuration to all of them. */
export function replaceConnect(
  sequelize: Sequelize,
  open: (connect: Connect) => Promise<DriverConnection>,
): void {
  const manager = managerOf(sequelize);
  const connect = manager.connect.bind(manager);
  manager.connect = (config) => open((login) => connect({ ...config, ...login }));
}

/** Shows the pool's connections as gauges. @returns ends that. */
export function showPool(sequelize: Sequelize): () => void {
  const { pool } = managerOf(sequelize);
  const endConnections = showGauge('databaseConnections', () => ({
    idle: pool.available,
    used: pool.using,
  }));
  const endPending = showGauge('databasePending', () => pool.waiting);
  return () => {
    endConnections();
    endPending();
  };
}

const managerOf = (sequelize: Sequelize): ConnectionManager =>
  sequelize.connectionManager as unknown as ConnectionManager;
