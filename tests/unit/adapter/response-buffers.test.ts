import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryOf, ResponseBuffers } from '../../../lib/adapter/response-buffers.ts';
import { UnavailableError } from '../../../lib/errors.ts';

describe('the memory for responses', () => {
  const mebibyte = 1024 * 1024;
  const max = 8 * mebibyte;
  const response = (): ServerResponse => new ServerResponse(new IncomingMessage(new Socket()));
  const made = (): ResponseBuffers =>
    new ResponseBuffers({ maxBufferedResponseBytes: max, writeTimeout: 30_000, maxConcurrentExports: 2 });
  const admit = (buffers: ResponseBuffers, owner: string, bytes: number): boolean => {
    const one = response();
    buffers.assign(one, owner);
    return buffers.admit(one, bytes);
  };

  it('is not all for large responses to one owner', () => {
    const buffers = made();
    const admitted = Array.from({ length: 8 }, () => admit(buffers, 'a', mebibyte));
    expect(admitted).toEqual([true, true, true, true, true, false, false, false]);
    expect(admit(buffers, 'b', 2 * mebibyte)).toBe(true);
    expect(admit(buffers, 'c', mebibyte)).toBe(false);
  });

  it('is kept in part for small responses, of anybody', () => {
    const buffers = made();
    for (const owner of ['a', 'b', 'c'])
      for (let count = 0; count < 5; count += 1) admit(buffers, owner, mebibyte);
    expect(buffers.bytes).toBe(7 * mebibyte);
    const admitted = Array.from({ length: 5 }, () => admit(buffers, 'a', mebibyte / 4));
    expect(admitted).toEqual([true, true, true, true, false]);
    expect(buffers.bytes).toBe(max);
  });

  it('counts a response once, with its last size, until it is closed', () => {
    const buffers = made();
    const one = response();
    buffers.assign(one, 'a');
    for (const bytes of [4 * mebibyte, 5 * mebibyte]) expect(buffers.admit(one, bytes)).toBe(true);
    expect(admit(buffers, 'a', mebibyte)).toBe(false);
    one.emit('close');
    expect(buffers.bytes).toBe(0);
    expect(admit(buffers, 'a', 5 * mebibyte)).toBe(true);
  });

  it('gives up what has stalled of the same owner when that lacks only its part', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const buffers = made();
    const [other, own] = [response(), response()];
    buffers.assign(other, 'b');
    buffers.assign(own, 'a');
    buffers.admit(other, mebibyte);
    buffers.admit(own, 5 * mebibyte);
    vi.advanceTimersByTime(3000);
    expect(admit(buffers, 'a', mebibyte)).toBe(true);
    vi.useRealTimers();
    expect([other.destroyed, own.destroyed]).toEqual([false, true]);
  });

  describe('of CSV exports', () => {
    afterEach(() => {
      vi.useRealTimers();
    });
    const download = (buffers: ResponseBuffers): ServerResponse => {
      const one = response();
      memoryOf(one, buffers).reserveExport(1000);
      return one;
    };

    it('is for as many at the same time as the setting permits', () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      const buffers = made();
      const [first, second] = [download(buffers), download(buffers)];
      const refused = (): unknown => download(buffers);
      expect(refused).toThrow(UnavailableError);
      expect(refused).toThrow(/webserver\.maxConcurrentExports \(LRS_MAX_CONCURRENT_EXPORTS\)/);
      first.emit('close');
      download(buffers);
      expect(refused).toThrow(UnavailableError);
      expect([first.destroyed, second.destroyed]).toEqual([false, false]);
    });

    it('ends the one that has stalled longest when another begins, and nothing else that has stalled', () => {
      vi.useFakeTimers({ toFake: ['performance'] });
      const buffers = made();
      const page = response();
      buffers.admit(page, 1000);
      const first = download(buffers);
      vi.advanceTimersByTime(1000);
      const second = download(buffers);
      vi.advanceTimersByTime(2000);
      const third = download(buffers);
      expect([page, first, second, third].map(({ destroyed }) => destroyed)).toEqual([
        ...[false, true, false, false],
      ]);
      expect(() => download(buffers)).toThrow(UnavailableError);
      expect(buffers.bytes).toBe(4000);
    });
  });
});
