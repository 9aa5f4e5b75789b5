import { describe, expect, it } from 'vitest';
import { type Client, ClientTurns } from '../../lib/client-turns.ts';
import { UnavailableError } from '../../lib/errors.ts';

const client = (name: string): Client => ({ name: () => name, hasGone: () => false });

describe('the turns of clients', () => {
  it('let so much run at once, then one piece of each client after another', async () => {
    const turns = new ClientTurns(2);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const pieces = ['a 1', 'a 2', 'a 3', 'a 4', 'b 1', 'c 1'].map((piece) =>
      turns.run(client(piece.charAt(0)), async () => {
        begun.push(piece);
        await new Promise<void>((end) => ends.push(end));
        return piece;
      }),
    );
    expect(begun).toEqual(['a 1', 'a 2']);
    for (let at = 0; at < pieces.length; at += 1) {
      ends[at]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(begun).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'c 1', 'a 4']);
    expect(await Promise.all(pieces)).toEqual(['a 1', 'a 2', 'a 3', 'a 4', 'b 1', 'c 1']);
  });

  it('do nothing for a client that has gone while it waited', async () => {
    const turns = new ClientTurns(1);
    let end = (): void => {};
    const first = turns.run(client('a'), () => new Promise<void>((resolve) => (end = resolve)));
    let gone = false;
    const work: string[] = [];
    const leaving: Client = { name: () => 'b', hasGone: () => gone };
    const abandoned = turns.run(leaving, async () => work.push('abandoned'));
    const last = turns.run(client('c'), async () => work.push('last'));
    gone = true;
    end();
    await expect(abandoned).rejects.toThrow(UnavailableError);
    await Promise.all([first, last]);
    expect(work).toEqual(['last']);
    // One that need not wait may have ended its side of the connection only.
    await turns.run(leaving, async () => work.push('at once'));
    expect(work).toEqual(['last', 'at once']);
  });

  it('go on after work that has failed', async () => {
    const turns = new ClientTurns(1);
    const failed = turns.run(client('a'), () => Promise.reject(new Error('failed')));
    const next = turns.run(client('a'), async () => 'next');
    await expect(failed).rejects.toThrow('failed');
    expect(await next).toBe('next');
  });
});
