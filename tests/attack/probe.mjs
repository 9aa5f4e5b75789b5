/*
 * Loaded into the server before its own code (`node --import`): measures how long the event loop is busy without a break, and
 * reports the longest time since the last question over the IPC channel. It counts processor time of the thread (first field
 * of /proc/…/schedstat, in nanoseconds), because the clock also runs while the machine gives the processor to others; the time
 * that the thread waits for a processor is the second field.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const intervalMilliseconds = 10;
const nothing = { stall: 0, elapsed: 0, at: 0 };
const buffer = Buffer.alloc(128);

if (isMainThread && process.send !== undefined) start();

function start() {
  const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  let last = sample(schedule);
  let worst = nothing;
  setInterval(() => {
    const now = sample(schedule);
    const elapsed = now.wall - last.wall - intervalMilliseconds - (now.waited - last.waited);
    const stall = Math.min(now.cpu - last.cpu, elapsed);
    if (stall > worst.stall) worst = { stall, elapsed, at: Date.now() };
    last = now;
  }, intervalMilliseconds).unref();
  process.on('message', (message) => {
    if (message !== 'worst-stall') return;
    process.send({ worstStall: worst });
    worst = nothing;
  });
  // The channel alone must not keep the server alive.
  process.channel?.unref();
  process.on('exit', () => closeSync(schedule));
}

/** Milliseconds: the clock, processor time of this thread, and time it waited for a processor. */
function sample(file) {
  const length = readSync(file, buffer, 0, buffer.length, 0);
  const [cpu, waited] = buffer.toString('latin1', 0, length).split(' ');
  return { wall: performance.now(), cpu: Number(cpu) / 1e6, waited: Number(waited) / 1e6 };
}
