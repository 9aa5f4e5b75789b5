import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { sliceBytes, writeBody } from '../../../lib/adapter/write.ts';
import { giveWay } from '../../../lib/in-turns.ts';

it('a large response is written in turns with other long work, also when the system takes it at once', async () => {
  const order: string[] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  vi.spyOn(response, 'write').mockImplementation(() => {
    order.push('slice');
    return true;
  });
  const other = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) {
      await giveWay();
      order.push('other');
    }
  };
  await Promise.all([writeBody(response, Buffer.alloc(3 * sliceBytes)), other()]);
  expect(order).toEqual(['slice', 'other', 'slice', 'other', 'slice', 'other']);
});

it('nothing is written any more once the client has gone away', async () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const write = vi.spyOn(response, 'write').mockImplementation(() => {
    response.destroy();
    return true;
  });
  await writeBody(response, Buffer.alloc(3 * sliceBytes));
  expect(write).toHaveBeenCalledTimes(1);
});
