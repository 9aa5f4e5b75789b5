import { setPriority } from 'node:os';

/** Far below the usual 0 of the server and the honest clients (nice(1)). */
const low = 15;

/**
 * Does the work at a low priority: attackers usually sit at other machines and take no processor time from the server. Processes
 * started meanwhile have that priority, too. Who is not permitted to raise it again goes on at the low one.
 */
export async function atLowPriority(work: () => Promise<unknown>): Promise<void> {
  setPriority(low);
  try {
    await work();
  } finally {
    restore();
  }
}

function restore(): void {
  try {
    setPriority(0);
  } catch {
    // Only an administrator may; all that starts later runs at the low priority, the server as well as the attackers.
  }
}
