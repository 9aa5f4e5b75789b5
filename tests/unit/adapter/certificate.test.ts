import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadKeyPair } from '../../../lib/adapter/certificate.ts';
import { createLogger } from '../../../lib/logger.ts';

const logger = createLogger('OFF');
let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'certificate-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const options = (overrides = {}) => ({
  keyPkeyFile: join(directory, 'server.key.pem'),
  keyCertChain: [join(directory, 'server.crt.pem'), join(directory, 'cacert.pem')],
  keyEnableSelfie: true,
  ...overrides,
});

describe('the key pair for HTTPS', () => {
  it('is made once and kept, readable by its owner alone', async () => {
    const first = await loadKeyPair(options(), logger);
    expect(await loadKeyPair(options(), logger)).toEqual(first);
    const file = join(directory, 'server.selfsigned.key.pem');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(first.key);
  });

  it('is read from the configured files, of whose chain the later ones may be missing', async () => {
    writeFileSync(join(directory, 'server.key.pem'), 'key');
    writeFileSync(join(directory, 'server.crt.pem'), 'certificate');
    expect(await loadKeyPair(options({ keyPassword: 'secret' }), logger)).toEqual({
      key: 'key',
      cert: 'certificate',
      passphrase: 'secret',
    });
  });

  it('is refused when only one of key and certificate is there', async () => {
    writeFileSync(join(directory, 'server.key.pem'), 'key');
    await expect(loadKeyPair(options(), logger)).rejects.toThrow(/server\.crt\.pem does not exist/);
  });

  it('is refused when there is none and none may be made', async () => {
    await expect(loadKeyPair(options({ keyEnableSelfie: false }), logger)).rejects.toThrow(/keyEnableSelfie/);
  });

  it.each([
    ['key', '', 'certificate'],
    ['crt', 'key', '\n'],
  ])('is refused, and the file named, when server.%s.pem is empty', async (name, key, certificate) => {
    writeFileSync(join(directory, 'server.key.pem'), key);
    writeFileSync(join(directory, 'server.crt.pem'), certificate);
    await expect(loadKeyPair(options(), logger)).rejects.toThrow(
      new RegExp(`server\\.${name}\\.pem is empty`),
    );
  });

  it('is refused, and the file named, when one of them is no file, which reading might wait for', async () => {
    writeFileSync(join(directory, 'server.key.pem'), 'key');
    symlinkSync('/dev/zero', join(directory, 'server.crt.pem'));
    await expect(loadKeyPair(options(), logger)).rejects.toThrow(/server\.crt\.pem is not a file/);
  });

  it.each(['server.key.pem', 'server.crt.pem', 'cacert.pem'])(
    'is refused, and the file named, when %s is larger than 1 MiB',
    async (name) => {
      writeFileSync(join(directory, 'server.key.pem'), 'key');
      writeFileSync(join(directory, 'server.crt.pem'), 'certificate');
      writeFileSync(join(directory, name), 'x'.repeat(1024 * 1024 + 1));
      await expect(loadKeyPair(options(), logger)).rejects.toThrow(`${name} has 1048577 bytes`);
    },
  );

  it('is made anew when one of the kept files is empty', async () => {
    const first = await loadKeyPair(options(), logger);
    writeFileSync(join(directory, 'server.selfsigned.key.pem'), '');
    const second = await loadKeyPair(options(), logger);
    expect(second.key).not.toBe('');
    expect(second.cert).not.toBe(first.cert);
  });
});
