import { statementHandlers } from '../xapi/statements.ts';
import { serveFeed } from './after-writes.ts';
import { groupHandler } from './group.ts';
import { open, openNow } from './runtime.ts';

/** The statement resource. */
export const endpoints = statementHandlers(open);
export const handler = groupHandler(endpoints, serveFeed);

await openNow();
