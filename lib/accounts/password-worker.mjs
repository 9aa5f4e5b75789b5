import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';
import { isLrsqlHash, matchesLrsqlHash } from './lrsql-password.mjs';

/**
 * The thread in which bcrypt runs. Plain JavaScript, because a thread starts from a file: this one works unbuilt and is
 * an entry of its own in the bundle.
 * @typedef {{ id: number, text: string, hash?: string }} Task to compare `text` with `hash`, or without one to hash it
 * @typedef {{ id: number, result?: string | boolean, error?: unknown }} Answer
 */

const cost = 10;

// Many logins at once leave the processors to other requests. On Linux alone this is the priority of the calling thread; elsewhere
// it is that of the process. It must not be raised.
if (process.platform === 'linux') {
  setPriority(0, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}

parentPort?.on('message', (/** @type {Task} */ { id, text, hash }) => {
  /** @type {Answer} */
  let answer;
  try {
    answer = { id, result: hash === undefined ? hashSync(text, cost) : matches(text, hash) };
  } catch (error) {
    answer = { id, error };
  }
  parentPort?.postMessage(answer);
});

/**
 * @param {string} text
 * @param {string} hash
 */
function matches(text, hash) {
  return isLrsqlHash(hash) ? matchesLrsqlHash(text, hash) : compareSync(text, hash);
}
