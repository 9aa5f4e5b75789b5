import {
  statementActivity,
  statementActor,
  statementPlatform,
  statementTime,
  statementVerb,
  tallyChange,
} from '../db/tables/statistics.ts';
import { rowsOf } from '../db/tables/table.ts';

/* The rows that are inserted. */

export const changeTable = rowsOf(tallyChange);
export const timeTable = rowsOf(statementTime);
export const platformTable = rowsOf(statementPlatform);
export const actorTable = rowsOf(statementActor);
export const verbTable = rowsOf(statementVerb);
export const activityTable = rowsOf(statementActivity);
