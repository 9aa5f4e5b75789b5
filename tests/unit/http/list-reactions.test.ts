import { describe, expect, it } from 'vitest';
import { reactionHandlers } from '../../../functions/admin/reactions.ts';
import { responsesExhausted } from '../../../lib/adapter/response-buffers.ts';
import type { GatewayEvent } from '../../../lib/http/gateways/index.ts';
import { clientAnswer, gatewayEvents } from '../../support/gateway-events.ts';
import { bearer, standInLrs } from '../../support/stand-in-lrs.ts';

const { reactions } = await standInLrs()();

/** Lists reactions whose rulesets have 1,000,000 bytes. */
async function list(reserve: (bytes: number) => void) {
  const open = standInLrs(
    { LRS_ENABLE_REACTIONS: 'true' },
    {
      reactions: {
        ...reactions,
        list: async (told) => {
          told?.(1_000_000);
          return ['{"id":"one"}', '{"id":"two"}'];
        },
      },
    },
  );
  const event = gatewayEvents['HTTP API event (v2)']?.({
    method: 'GET',
    path: '/admin/reaction',
    headers: { authorization: bearer },
  });
  const responseMemory = { assignTo: () => {}, isAbandoned: () => false, reserve, reserveExport: reserve };
  return clientAnswer(
    await reactionHandlers(open).listReactions({ ...event, responseMemory } as GatewayEvent),
  );
}

describe('the list of reactions', () => {
  it('is answered 503 with Retry-After where there is no memory for its rulesets', async () => {
    const answer = await list(() => {
      throw responsesExhausted();
    });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  });

  it('reserves the memory of the rulesets as they are stored and as they are sent', async () => {
    const reserved: number[] = [];
    const answer = await list((bytes) => reserved.push(bytes));
    expect(reserved).toEqual([2_000_000]);
    expect(JSON.parse(answer.body.toString())).toEqual({ reactions: [{ id: 'one' }, { id: 'two' }] });
  });
});
