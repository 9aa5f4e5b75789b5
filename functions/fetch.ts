import { type FetchHandler, forFetch } from '../lib/http/gateways/fetch.ts';
import { MemoryBudget } from '../lib/http/memory-budget.ts';
import { createHandlers } from './index.ts';
import { configured, open } from './lambda/runtime.ts';
import { maintenanceRouter } from './ops/maintenance.ts';
import { createRouter } from './router.ts';

/*
 * The LRS behind the Fetch API, for platforms that call `fetch(request)` of a default export: Bun, Deno, and edge platforms with
 * Node's modules and TCP. Like a function it has one connection to the database and changes no schema.
 */

let answer: Promise<FetchHandler> | undefined;

async function createAnswer(): Promise<FetchHandler> {
  const { config } = await configured();
  const { maintenanceMessage, urlPrefix, maxBufferedBodyBytes } = config.webserver;
  const bodies = new MemoryBudget(maxBufferedBodyBytes);
  if (maintenanceMessage !== null) return forFetch(maintenanceRouter(configured, maintenanceMessage), bodies);
  return forFetch(createRouter(createHandlers(open, { configured }), urlPrefix), bodies);
}

/** Platforms give further arguments, none of which is the address of the client. @throws ConfigError */
async function answerRequest(request: Request): Promise<Response> {
  answer ??= createAnswer();
  return (await answer)(request);
}

// biome-ignore lint/style/noDefaultExport: platforms look for it.
export default { fetch: answerRequest };
