import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGauge } from '../../lib/telemetry/gauges.ts';
import { measureInto } from '../../lib/telemetry/measure.ts';
import type { Measurements } from '../../lib/telemetry/types.ts';
import { engines } from '../support/engines.ts';
import { createStore } from '../support/transfer.ts';

/** Measurements that nobody looks at. */
const unseen = new Proxy({}, { get: () => () => {} }) as Measurements;

describe.each(engines)('the gauges of a store on $name', (engine) => {
  beforeEach(() => measureInto(unseen));
  afterEach(() => measureInto(undefined));

  const shown = async (): Promise<string[]> => {
    const names = [
      'admissionBytes',
      'admissionRequests',
      'commitQueue',
      'databaseConnections',
      'databasePending',
    ] as const;
    const values = await Promise.all(names.map(readGauge));
    return names.filter((_, index) => values[index] !== undefined);
  };

  it('end when it is closed, so that a server which opens and closes stores keeps none of them', async () => {
    const { remove } = await createStore(engine);
    const ofServer = engine.family === 'sqlite' ? [] : ['databaseConnections', 'databasePending'];
    expect(await shown()).toEqual(['admissionBytes', 'admissionRequests', 'commitQueue', ...ofServer]);
    await remove();
    expect(await shown()).toEqual([]);
  });
});
