import { describe, expect, it } from 'vitest';
import { BoundedLabels } from '../../../lib/telemetry/bounded-labels.ts';
import { parseHeaders } from '../../../lib/telemetry/otlp-headers.ts';

describe('the values of a label', () => {
  it('are as many as they may be, and others beyond that', () => {
    const labels = new BoundedLabels(2);
    expect(['a', 'b', 'c', 'a', 'd'].map((value) => labels.bounded(value))).toEqual([
      ...['a', 'b', 'other', 'a', 'other'],
    ]);
  });

  it('are cut, and equal when they are equal then', () => {
    const labels = new BoundedLabels(1);
    const long = 'x'.repeat(64);
    expect([`${long}1`, `${long}2`, long].map((value) => labels.bounded(value))).toEqual([long, long, long]);
  });
});

describe('the headers for a collector', () => {
  it('are pairs whose values are decoded', () => {
    expect(parseHeaders('authorization=Bearer%20a%2Cb, x-tenant=42')).toEqual({
      authorization: 'Bearer a,b',
      'x-tenant': '42',
    });
    expect(parseHeaders('')).toEqual({});
  });

  it.each(['secret-text', 'a=b,secret-text', '=secret-text', 'a=secret%text'])(
    'are refused without being shown: %s',
    (text) => {
      expect(() => parseHeaders(text)).toThrow(/^telemetry\.otlpHeaders \(LRS_OTLP_HEADERS\) must be pairs/);
      expect(() => parseHeaders(text)).not.toThrow(/secret/);
    },
  );
});
