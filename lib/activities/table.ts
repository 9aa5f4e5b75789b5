import { activity } from '../db/tables/mentions.ts';
import { rowsOf } from '../db/tables/table.ts';

/** The rows that are inserted. */
export const activityTable = rowsOf(activity);
