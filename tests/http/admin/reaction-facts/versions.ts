import { expect, it } from 'vitest';
import type { ReactionClient } from '../../../support/reaction-client.ts';
import { agent } from '../../../support/statements.ts';

const agentPath = ['context', 'contextAgents', 0, 'agent', 'mbox'];
const groupPath = ['context', 'contextGroups', 0, 'group', 'member', 0, 'mbox'];

/** @param older of reactionVersion 1.0.3. @param newer of 2.0.0. */
export function versionFacts(older: ReactionClient, newer: ReactionClient): void {
  it('section 2.11: paths are those of reactionVersion, and 2.0.0 adds contextAgents and contextGroups', async () => {
    for (const path of [agentPath, groupPath]) {
      const parts = { conditions: { a: { path, op: 'eq', val: 'x' } }, identityPaths: [path] };
      expect((await newer.tryToReact(parts)).status).toBe(200);
      expect((await older.tryToReact(parts)).status).toBe(400);
    }
  });

  it('section 10.1: under reactionVersion 2.0.0, statements of it match and are generated', async () => {
    const contextAgents = [{ objectType: 'contextAgent' as const, agent: agent('ann') }];
    const reaction = await newer.react({
      identityPaths: [agentPath],
      template: newer.template({
        context: { contextAgents: { $templatePath: ['a', 'context', 'contextAgents'] } },
      }),
    });
    await newer.post(newer.done({ context: { contextAgents } }));
    expect(await newer.generated(reaction)).toMatchObject([{ version: '2.0.0', context: { contextAgents } }]);
  });
}
