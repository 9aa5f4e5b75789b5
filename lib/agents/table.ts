import { agent, agentName } from '../db/tables/mentions.ts';
import { rowsOf } from '../db/tables/table.ts';

/* The rows that are inserted. */

export const agentTable = rowsOf(agent);
export const agentNameTable = rowsOf(agentName);
