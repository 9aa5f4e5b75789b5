import type { Config } from '../../config/types.ts';
import { MemoryBudget } from '../http/memory-budget.ts';
import { showGauge } from '../telemetry/gauges.ts';
import { Connections } from './connections.ts';
import { ResponseBuffers } from './response-buffers.ts';

/** What the servers of a process share, so that a limit applies to all of them together. */
export interface Limits {
  /** The memory budget of request bodies. */
  readonly bodies: MemoryBudget;
  readonly minBodyBytesPerSecond: number;
  readonly connections: Connections;
  readonly responses: ResponseBuffers;
  /** Milliseconds in which the headers, and the whole request, must arrive. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
}

export function createLimits(webserver: Config['webserver']): Limits {
  const { maxBufferedBodyBytes, minBodyBytesPerSecond, headersTimeout, requestTimeout } = webserver;
  const { maxConnections, trustProxy } = webserver;
  // Behind a proxy all clients have its address.
  const maxConnectionsPerAddress = trustProxy ? 0 : webserver.maxConnectionsPerAddress;
  const connections = new Connections({ maxConnections, maxConnectionsPerAddress });
  showGauge('connections', () => connections.count);
  return {
    bodies: new MemoryBudget(maxBufferedBodyBytes),
    minBodyBytesPerSecond,
    connections,
    responses: new ResponseBuffers(webserver),
    headersTimeout,
    requestTimeout,
  };
}
