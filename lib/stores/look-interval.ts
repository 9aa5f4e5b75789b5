/** How often (ms) a process looks whether other processes have changed the stores that it has open. */
export const lookInterval = 1000;

/** How long (ms) after a store was closed no process has it open any more. */
export const closedEverywhereAfter = 1.5 * lookInterval;
