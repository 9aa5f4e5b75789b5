import { describe, expect, it } from 'vitest';
import { isHostPattern, isStoreName, splitStorePath, storeOfHost } from '../../../lib/stores/address.ts';

describe('the path of a store', () => {
  it.each([
    ['/xapi/about', undefined, '/xapi/about'],
    ['/stores/acme/xapi/about', 'acme', '/xapi/about'],
    ['/stores/acme/', 'acme', '/'],
    ['/stores/acme', 'acme', '/'],
    ['/stores/', undefined, '/stores/'],
    ['/stores//health', undefined, '/stores//health'],
    ['/stores/acme/stores/globex/health', 'acme', '/stores/globex/health'],
    ['/admin/stores/acme', undefined, '/admin/stores/acme'],
  ])('%s', (path, store, rest) => {
    expect(splitStorePath(path)).toEqual({ store, path: rest });
  });
});

describe('the host name of a store', () => {
  const pattern = '{name}.lrs.example.org';

  it.each([
    ['acme.lrs.example.org', 'acme'],
    ['ACME.LRS.example.org:8443', 'acme'],
    ['acme.lrs.example.org.', 'acme'],
    ['acme.lrs.example.org.:8443', 'acme'],
    ['lrs.example.org', undefined],
    ['.lrs.example.org', undefined],
    ['a.b.lrs.example.org', undefined],
    ['acme.lrs.example.org.evil.example', undefined],
    [undefined, undefined],
  ])('%s', (host, store) => {
    expect(storeOfHost(host, pattern)).toBe(store);
  });

  it('begins with the name', () => {
    expect(['{name}.example.org', 'example.org', '{name}', 'x{name}.example.org'].map(isHostPattern)).toEqual(
      [true, false, false, false],
    );
  });
});

describe('the name of a store', () => {
  it.each(['a', 'acme', 'acme-2', '7', 'a'.repeat(40)])('may be %s', (name) => {
    expect(isStoreName(name)).toBe(true);
  });

  it.each(['', 'Acme', '-acme', 'acme-', 'a_b', 'a.b', 'ä', 'a'.repeat(41)])('may not be %j', (name) => {
    expect(isStoreName(name)).toBe(false);
  });
});
