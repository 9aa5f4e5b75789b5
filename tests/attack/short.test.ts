import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attacks } from './attacks.ts';
import { slowness } from './machine-speed.ts';
import { sourceServer } from './programs.ts';
import { attackVictim } from './runner.ts';
import { type Attack, bounds } from './types.ts';
import { Victim } from './victim.ts';

/*
 * The short form of `npm run attack`: all attacks but the longest, with a two-hundredth of the amounts, on one server and without
 * honest clients. Times are processor time and scaled by the speed of this machine, so that it may be slow or busy.
 */

const share = 0.005;
/** Always the same inputs, so that a failure can be repeated; `npm run attack -- --seed` tries others. */
const seed = 20_260_101;

const onOneServer = ({ long, descriptors }: Attack): boolean =>
  long === undefined && descriptors === undefined;

let victim: Victim;
let stall: number;

beforeAll(async () => {
  stall = bounds.stall * slowness();
  victim = await Victim.start({
    program: sourceServer,
    settings: {
      LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true',
      LRS_ENABLE_REACTIONS: 'true',
      LRS_ENABLE_ADMIN_STATUS: 'true',
    },
  });
});
afterAll(() => victim?.stop());

describe('a server under attack survives within its bounds of memory and of the time that its event loop is busy', () => {
  it.each(attacks.filter(onOneServer))('$name: $threat', async (attack) => {
    const before = victim.descriptors;
    const outcome = await attackVictim(attack, {
      victim,
      honestOrigin: victim.http,
      seed,
      share,
      quiet: 0,
      bounds: { ...bounds, stall },
    });
    // As one text, because an assertion shows only how long a list is.
    expect(outcome.broken.join('; ')).toBe('');
    expect(outcome.sent).toBeGreaterThan(0);
    await expect.poll(() => victim.descriptors).toBeLessThanOrEqual(before + spare);
  });
});

/** Descriptors that connections kept alive and the database may take meanwhile. */
const spare = 64;
