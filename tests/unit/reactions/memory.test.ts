import { afterEach, describe, expect, it, vi } from 'vitest';
import { UnavailableError } from '../../../lib/errors.ts';
import { textHeap, treeHeap } from '../../../lib/json/heap-size.ts';
import { MemoryUsedUp, ReactionMemory } from '../../../lib/reactions/memory.ts';

/** 100 bytes for everybody, of which 50 are for those that go first; 300 for one at a time. */
const open = () => new ReactionMemory(400);
const first = { goesFirst: true };

afterEach(() => {
  vi.useRealTimers();
});

describe('the memory of reactions', () => {
  it('is given up by work that need not be done now, where the shared part is taken', () => {
    const memory = open();
    expect(memory.open(first).share(false).take(100)).toBeUndefined();
    return expect(memory.open(first).share(false).take(1)).rejects.toThrow(MemoryUsedUp);
  });

  it('is left to accounts that go first, half of the shared part, whatever others take', async () => {
    const memory = open();
    const others = Array.from({ length: 50 }, () => memory.open());
    for (const other of others) expect(other.share(true).take(1)).toBeUndefined();
    const holder = memory.open();
    await holder.share(true).take(300);
    expect(memory.open().share(false).takeNow(1)).toBe(false);
    expect(memory.open(first).share(false).takeNow(50)).toBe(true);
    expect(memory.open(first).share(false).takeNow(1)).toBe(false);
  });

  it('is awaited where an account that goes first waits for what another one has', async () => {
    const memory = open();
    const [holder, other, one] = [memory.open(), memory.open(), memory.open(first)];
    await holder.share(true).take(300);
    const waiting = [other.share(true).take(300)];
    expect(holder.isAwaited).toBe(false);
    waiting.push(one.share(true).take(300));
    expect([holder, other].map(({ isAwaited }) => isAwaited)).toEqual([true, false]);
    holder.close();
    await waiting[1];
    expect([holder, one].map(({ isAwaited }) => isAwaited)).toEqual([false, false]);
    one.close();
    await waiting[0];
  });

  it('is taken from the reserve by one account at a time, the next one in the order of the calls', async () => {
    const memory = open();
    const accounts = ['a', 'b', 'c'].map((name) => ({ name, account: memory.open() }));
    const order: string[] = [];
    const turns = accounts.map(async ({ name, account }) => {
      await account.share(true).take(300);
      order.push(name);
    });
    await turns[0];
    expect(order).toEqual(['a']);
    accounts[0]?.account.close();
    await turns[1];
    expect(order).toEqual(['a', 'b']);
    accounts[1]?.account.close();
    await turns[2];
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('is taken from the reserve first by those that go first, in the order of their calls', async () => {
    const memory = open();
    const holder = memory.open();
    await holder.share(true).take(300);
    const order: string[] = [];
    const kinds = { later: false, first: true, second: true };
    const turns = Object.entries(kinds).map(async ([name, goesFirst]) => {
      const account = memory.open({ goesFirst });
      await account.share(true).take(300);
      order.push(name);
      account.close();
    });
    holder.close();
    await Promise.all(turns);
    expect(order).toEqual(['first', 'second', 'later']);
  });

  it('is limited for the account that has the reserve, which is not kept waiting by itself', async () => {
    const share = open().open(first).share(true);
    await share.take(300);
    expect(share.take(100)).toBeUndefined();
    await expect(share.take(1)).rejects.toThrow(MemoryUsedUp);
    share.give(150);
    expect(share.take(150)).toBeUndefined();
  });

  it('is free again when an account is closed, also for one that takes some of it afterwards', async () => {
    const memory = open();
    const account = memory.open();
    const share = account.share(true);
    await share.take(300);
    await share.take(50);
    account.close();
    await expect(share.take(1)).rejects.toThrow(MemoryUsedUp);
    const other = memory.open(first).share(true);
    await other.take(300);
    expect(other.take(100)).toBeUndefined();
  });

  it('is not waited for without end', async () => {
    vi.useFakeTimers();
    const memory = open();
    await memory.open().share(true).take(300);
    const waiting = memory.open().share(true).take(300);
    const given = expect(waiting).rejects.toThrow(UnavailableError);
    await vi.advanceTimersByTimeAsync(60_000);
    await given;
  });
});

describe('the estimate of memory', () => {
  it('counts every value of a tree, and two bytes for each character of a text that is not ASCII', () => {
    expect(treeHeap([{}, { a: [1, null] }, 'x'])).toBe(7 * 60);
    expect(textHeap('abc')).toBe(3);
    expect(textHeap('ab€')).toBe(6);
  });
});
