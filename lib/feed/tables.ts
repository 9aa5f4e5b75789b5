import { feedConsumer, feedEvent } from '../db/tables/background.ts';
import { rowsOf } from '../db/tables/table.ts';

/* The rows that are inserted. */

export const consumerTable = rowsOf(feedConsumer, 'name', 'kind', 'position', 'state', 'takes_events');
export const eventTable = rowsOf(feedEvent);
