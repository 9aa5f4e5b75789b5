import { describe } from 'vitest';
import { eventEntrance, fetchEntrance, serverEntrance } from '../support/entrance.ts';
import { gatewayEvents } from '../support/gateway-events.ts';
import { statementFlow } from './statement-flow.ts';

describe.each(Object.entries(gatewayEvents))('through the handlers, by %s', (name, eventOf) => {
  statementFlow(() => eventEntrance(eventOf, name.startsWith('REST') ? '/dev' : ''));
});

describe.each(['http', 'https'] as const)('through the Node adapter, by %s', (scheme) => {
  statementFlow(() => serverEntrance(scheme));
});

describe('through the Fetch API', () => {
  statementFlow(() => fetchEntrance());
});
