import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type GroupName, groupOf } from '../../functions/lambda/groups.ts';
import { placed } from '../../functions/router.ts';
import { routes } from '../../functions/routes.ts';
import type { Handler } from '../../lib/http/handler.ts';
import { type Entrance, firstAccount } from '../support/entrance.ts';
import { loadFunctions } from '../support/functions.ts';
import { clientAnswer, gatewayEvents } from '../support/gateway-events.ts';
import { statementFlow } from './statement-flow.ts';

/** The function with a store of its own. */
async function loadAll(): Promise<Handler> {
  vi.resetModules();
  return (await import('../../functions/lambda/all.ts')).handler;
}

beforeAll(() => {
  vi.stubEnv('LRS_DB_NAME', ':memory:');
  vi.stubEnv('LRS_LOG_LEVEL', 'OFF');
  vi.stubEnv('LRS_MAX_BODY_BYTES', '1000000');
  vi.stubEnv('LRS_ADMIN_USER_DEFAULT', firstAccount.username);
  vi.stubEnv('LRS_ADMIN_PASS_DEFAULT', firstAccount.password);
});
afterAll(() => vi.unstubAllEnvs());

/** The gateways that lead to one function. */
const gateways = [
  'function URL event (v2)',
  'load balancer event',
  'load balancer event with multi-value headers',
] as const;

describe.each(gateways)('the function with all endpoints, by %s', (gateway) => {
  const eventOf = gatewayEvents[gateway];
  let all: Handler;
  beforeAll(async () => {
    all = await loadAll();
  });
  const entrance: Entrance = {
    stage: '',
    close: async () => {},
    async send(request) {
      if (eventOf === undefined) throw new Error('there is no such event');
      return clientAnswer(await all(eventOf(request)));
    },
  };

  statementFlow(async () => entrance);

  it.each([
    ['GET', '/xapi/about', 200],
    ['GET', '/xapi/%61bout', 200],
    ['GET', '/health', 200],
    ['GET', '/health/ready', 200],
    ['GET', '/admin/env', 200],
    ['GET', '/admin/account', 401],
    ['GET', '/xapi/agents', 401],
    ['GET', '/xapi/stat%65ments', 401],
    ['OPTIONS', '/xapi/statements', 204],
    ['DELETE', '/xapi/about', 405],
    ['GET', '/nowhere', 404],
    ['GET', '/xapi/%E0%A4%A', 400],
  ])('%s %s is answered with %i', async (method, path, status) => {
    const headers = path.includes('%65') || path.endsWith('agents') ? versioned : {};
    expect((await entrance.send({ method, path, headers })).status).toBe(status);
  });
});

const versioned = { 'x-experience-api-version': '1.0.3' };

it.each(['/xapi', '/lrs/x'])(
  'each route under %s belongs to the group that has its endpoint',
  async (prefix) => {
    await loadFunctions();
    const endpoints: Readonly<Record<GroupName, object>> = {
      statements: (await import('../../functions/lambda/statements.ts')).endpoints,
      resources: (await import('../../functions/lambda/resources.ts')).endpoints,
      administration: (await import('../../functions/lambda/administration.ts')).endpoints,
      screen: (await import('../../functions/lambda/screen.ts')).endpoints,
    };
    const astray = routes.filter(
      (route) => !(route.handler in endpoints[groupOf(placed(route, prefix), prefix)]),
    );
    expect(astray).toEqual([]);
  },
);
