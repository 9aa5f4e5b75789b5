import { createHash, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createS3ObjectStore } from '../../../lib/attachments/s3-object-store.ts';
import type { ObjectStore } from '../../../lib/attachments/types.ts';

const content = randomBytes(200_000);
const stored = { sha2: createHash('sha256').update(content).digest('hex'), length: content.length };

describe('an object that is read from a bucket', () => {
  let answer: (response: ServerResponse) => void;
  let requests: number;
  const server = createServer((_message, response) => {
    requests += 1;
    answer(response);
  });
  /** @param patience milliseconds. */
  const storeWith = (patience?: number): ObjectStore =>
    createS3ObjectStore({
      name: 'bucket',
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      credentials: async () => ({ accessKeyId: 'id', secretAccessKey: 'secret' }),
      ...(patience !== undefined && { patience }),
    });
  let objects: ObjectStore;

  beforeEach(async () => {
    requests = 0;
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    objects = storeWith();
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  it('has the bytes that were stored, whichever SHA-2 hash names them', async () => {
    answer = (response) => response.end(content);
    for (const algorithm of ['sha224', 'sha256', 'sha384', 'sha512']) {
      const sha2 = createHash(algorithm).update(content).digest('hex');
      expect(await objects.read('id', { ...stored, sha2 })).toEqual(content);
    }
  });

  it.each([
    ['too short', content.subarray(1)],
    ['too long', Buffer.concat([content, Buffer.alloc(1)])],
    ['changed', Buffer.alloc(content.length)],
    ['empty', Buffer.alloc(0)],
  ])('is an error of the server when it is %s', async (_how, bytes) => {
    answer = (response) => response.end(bytes);
    await expect(objects.read('id', stored)).rejects.toThrow('has not the 200000 bytes with the hash');
    await expect(objects.read('id', stored)).rejects.not.toHaveProperty('kind');
  });

  it('is received no farther than it may be long', async () => {
    let sent = 0;
    const ended = new Promise<void>((resolve) => {
      answer = (response) => {
        const piece = Buffer.alloc(65_536);
        const more = (): void => {
          sent += piece.length;
          if (!response.write(piece)) response.once('drain', more);
          else setImmediate(more);
        };
        response.on('close', () => {
          response.removeAllListeners('drain');
          resolve();
        });
        more();
      };
    });
    await expect(objects.read('id', stored)).rejects.toThrow('has not the 200000 bytes');
    await ended;
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it.each([
    ['breaks off', (response: ServerResponse) => setTimeout(() => response.destroy(), 20)],
    ['falls silent', () => {}],
  ])('is unavailable when its content %s', async (_how, then) => {
    answer = (response) => {
      response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 1000));
      then(response);
    };
    await expect(storeWith(500).read('id', stored)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('store of attachments'),
    });
  });

  it('is refused at once after the bucket did not answer, as everything that needs it', async () => {
    answer = () => {};
    objects = storeWith(500);
    await expect(objects.read('id', stored)).rejects.toMatchObject({ kind: 'unavailable' });
    for (const request of [
      () => objects.read('id', stored),
      () => objects.uploaded('id'),
      () => objects.put('id', { contentType: 'text/plain', content }),
      () => objects.remove('id'),
    ]) {
      await expect(request()).rejects.toMatchObject({ kind: 'unavailable' });
    }
    expect(requests).toBe(1);
  });
});
