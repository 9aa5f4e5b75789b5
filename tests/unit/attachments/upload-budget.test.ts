import { describe, expect, it } from 'vitest';
import { UploadBudget } from '../../../lib/attachments/upload-budget.ts';
import { UnavailableError } from '../../../lib/errors.ts';

const mebibyte = 1024 * 1024;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const always = (): void => {};

describe('the memory budget of requests whose contents are put into the bucket', () => {
  it('admits requests that fit together, a larger one alone, those of a client first come, first served', async () => {
    const budget = new UploadBudget();
    const running = new Map<number, () => void>();
    const sizes = [4, 4, 20, 1, 1];
    const all = Promise.all(
      sizes.map(async (size, index) => running.set(index, await budget.enter(size * mebibyte, always))),
    );
    const turns: number[][] = [];
    await settled();
    while (running.size > 0) {
      turns.push([...running.keys()]);
      const ends = [...running.values()];
      running.clear();
      for (const end of ends) end();
      await settled();
    }
    await all;
    expect(turns).toEqual([[0, 1], [2], [3, 4]]);
  });

  it('is had by clients in turns', async () => {
    const budget = new UploadBudget();
    const client = (name: string) => ({ name: () => name, hasGone: () => false });
    const order: string[] = [];
    const use = async (name: string) => {
      const end = await budget.enter(8 * mebibyte, always, client(name));
      order.push(name);
      await settled();
      end();
    };
    await Promise.all(['many', 'many', 'many', 'many', 'one'].map(use));
    expect(order).toEqual(['many', 'many', 'one', 'many', 'many']);
  });

  it('lets nobody wait for longer than the limit, and those behind go on', async () => {
    const budget = new UploadBudget(20);
    const end = await budget.enter(5 * mebibyte, always);
    const late = budget.enter(20 * mebibyte, always);
    const small = budget.enter(1, always);
    await expect(late).rejects.toThrow(UnavailableError);
    (await small)();
    end();
    (await budget.enter(20 * mebibyte, always))();
  });

  it('refuses those that wait as soon as the bucket does not answer any more, and gives their memory back', async () => {
    const budget = new UploadBudget();
    let answers = true;
    const check = (): void => {
      if (!answers) throw new UnavailableError('no answer');
    };
    const end = await budget.enter(8 * mebibyte, check);
    const waiting = [budget.enter(8 * mebibyte, check), budget.enter(8 * mebibyte, check)];
    answers = false;
    await expect(budget.enter(1, check)).rejects.toThrow('no answer');
    end();
    for (const each of waiting) await expect(each).rejects.toThrow('no answer');
    answers = true;
    (await budget.enter(8 * mebibyte, check))();
  });
});
