import { readGatewayEvent } from '../../lib/http/gateways/index.ts';
import type { Handler } from '../../lib/http/handler.ts';
import { urlPrefix } from './group.ts';
import { type GroupName, groupOf } from './groups.ts';
import { openNow } from './runtime.ts';

/** Each group is loaded with the first request for it. */
const groups: Readonly<Record<GroupName, () => Promise<{ readonly handler: Handler }>>> = {
  statements: () => import('./statements.ts'),
  resources: () => import('./resources.ts'),
  administration: () => import('./administration.ts'),
  screen: () => import('./screen.ts'),
};

/** All endpoints, for gateways that lead to one function: a function URL and a load balancer. */
export const handler: Handler = async (event, context) => {
  const { path } = readGatewayEvent(event).request;
  const group = await groups[groupOf(path, await urlPrefix())]();
  return group.handler(event, context);
};

await Promise.all([openNow(), groups.statements()]);
