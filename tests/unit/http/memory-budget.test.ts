import { describe, expect, it } from 'vitest';
import { GrowingBuffer } from '../../../lib/http/growing-buffer.ts';
import { MemoryBudget } from '../../../lib/http/memory-budget.ts';

describe('a memory budget', () => {
  it('is shared by all bodies and free again when they are released', () => {
    const budget = new MemoryBudget(800);
    const [one, other] = [budget.reserve(true), budget.reserve(true)];
    expect([one.resize(400), other.resize(301), other.resize(300), one.resize(401)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    one.release();
    expect(other.resize(700)).toBe(true);
  });

  it('permits one body of any size when it is alone', () => {
    const budget = new MemoryBudget(800);
    const [one, other] = [budget.reserve(true), budget.reserve(true)];
    expect([one.resize(5000), other.resize(1)]).toEqual([true, false]);
    one.release();
    expect(other.resize(1)).toBe(true);
  });

  it('keeps an eighth for unknown senders, who get no more than that', () => {
    const budget = new MemoryBudget(800);
    const [known, unknown, next] = [budget.reserve(true), budget.reserve(false), budget.reserve(false)];
    expect([known.resize(700), unknown.resize(100), next.resize(1)]).toEqual([true, true, false]);
  });

  it('counts what is in memory already even when it is exhausted', () => {
    const budget = new MemoryBudget(800);
    const [one, small, next] = [budget.reserve(true), budget.reserve(true), budget.reserve(true)];
    one.resize(700);
    small.force(10);
    one.release();
    expect([next.resize(691), next.resize(690)]).toEqual([false, true]);
  });
});

describe('a growing buffer', () => {
  it('takes at most twice the memory of what was added, in whatever pieces, and no more than is expected', () => {
    const buffer = new GrowingBuffer(10_000);
    const capacities = new Set<number>();
    for (let index = 0; index < 10_000; index += 1) {
      capacities.add(buffer.capacityWith(1));
      buffer.append(Buffer.from([index % 256]));
    }
    expect([...capacities]).toEqual([1024, 2048, 4096, 8192, 10_000]);
    expect(buffer.content()).toEqual(Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 256)));
  });

  it('still doubles when more was added than is expected', () => {
    const buffer = new GrowingBuffer(10);
    const capacities = new Set<number>();
    for (let index = 0; index < 5000; index += 1) {
      capacities.add(buffer.capacityWith(1));
      buffer.append(Buffer.from('x'));
    }
    expect([...capacities]).toEqual([10, 1024, 2048, 4096, 8192]);
  });
});
