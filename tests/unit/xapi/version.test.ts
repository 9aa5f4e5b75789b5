import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { latestVersion, negotiateVersion, refusedVersion } from '../../../lib/xapi/version.ts';

const both = ['1.0.3', '2.0.0'] as const;

describe('negotiateVersion', () => {
  it.each(['1.0', '1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.17', '1.0.3-rc', '1.0.3-rc.1+b.2', '1.0.3+b'])(
    'takes %s as 1.0.3 (xAPI 1.0.3 Communication 3.3)',
    (header) => {
      expect(negotiateVersion(header, both)).toBe('1.0.3');
    },
  );

  it.each(['2.0', '2.0.0', '2.0.1'])('takes %s as 2.0.0', (header) => {
    expect(negotiateVersion(header, both)).toBe('2.0.0');
  });

  it.each(['0.9', '0.95', '1', '1.1.0', '1.0.', '1.0.x', '2', '2.1.0', '3.0.0', '1.0.3, 2.0.0', 'BAD', ''])(
    'refuses "%s" (xAPI 1.0.3 Communication 3.3)',
    (header) => {
      expect(() => negotiateVersion(header, both)).toThrow(InvalidError);
    },
  );

  it('refuses a request without the header', () => {
    expect(() => negotiateVersion(undefined, both)).toThrow(/missing/);
  });

  it('refuses a version that is switched off', () => {
    expect(() => negotiateVersion('2.0.0', ['1.0.3'])).toThrow(/1\.0\.3/);
    expect(() => negotiateVersion('1.0.3', ['2.0.0'])).toThrow(/2\.0\.0/);
  });
});

describe('latestVersion', () => {
  it('is the newest that is switched on', () => {
    expect(latestVersion(both)).toBe('2.0.0');
    expect(latestVersion(['1.0.3'])).toBe('1.0.3');
  });
});

describe('refusedVersion', () => {
  it('is 0.9 for a request that names no version (xAPI 1.0.3 Communication 3.3)', () => {
    expect(refusedVersion(undefined, both)).toBe('0.9');
  });

  it('is the one that the request names, when it is spoken', () => {
    expect(refusedVersion('1.0.1', both)).toBe('1.0.3');
    expect(refusedVersion('2.0.0', both)).toBe('2.0.0');
  });

  it('is the latest one spoken for a request that names another', () => {
    expect(refusedVersion('0.95', both)).toBe('2.0.0');
    expect(refusedVersion('2.0.0', ['1.0.3'])).toBe('1.0.3');
  });
});
