import { describe, expect, it, onTestFinished } from 'vitest';
import { serverEntrance } from '../support/entrance.ts';

describe('the limit of a client', () => {
  it('counts what has stores opened, and guesses of their names, also by requests that need no credentials', async () => {
    const opened = await serverEntrance('http', {
      // So few that a slow machine gains none meanwhile that would matter.
      LRS_RATE_LIMIT_BURST_SECONDS: '5',
      LRS_ENABLE_STORES: 'true',
      LRS_RATE_LIMIT_PER_ADDRESS: '2',
    });
    onTestFinished(() => opened.close());
    const ready = async (name: string): Promise<number> =>
      (await opened.send({ method: 'GET', path: `/stores/${name}/health/ready` })).status;
    const statuses = new Set<number>();
    for (let count = 0; count < 200; count += 1) statuses.add(await ready(`guess-${count}`));
    expect(statuses).toEqual(new Set([404, 429]));
    expect((await opened.send({ method: 'GET', path: '/health/ready' })).status).toBe(200);
  });
});
