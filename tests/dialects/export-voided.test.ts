import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exportText } from '../../lib/export/lines.ts';
import { engines } from '../support/engines.ts';
import { batchOf, statement, voiding } from '../support/statements.ts';
import { createStore } from '../support/transfer.ts';

describe.each(engines)('an export of a store on $name', (engine) => {
  it('has a statement as voided only if it has the statement that voids it, whatever is stored meanwhile', async () => {
    const { store, remove } = await createStore(engine);
    const { statements } = store.services;
    const [early, late] = [randomUUID(), randomUUID()];
    await statements.store(batchOf([statement({ id: early }), statement({ id: late })]));
    await statements.store(batchOf([voiding(early)]));
    const text = exportText({ ...store, ...store.services, secrets: false, plain: false, now: () => 0 });
    const lines: string[] = [(await text.next()).value];
    await statements.store(batchOf([voiding(late), voiding(early)]));
    for await (const line of text) lines.push(line);
    const voided = lines.filter((line) => line.includes('"voided":true'));
    expect(voided).toEqual([expect.stringContaining(early)]);
    expect(lines.at(-1)).toContain('"statements":3');
    await remove();
  });
});
