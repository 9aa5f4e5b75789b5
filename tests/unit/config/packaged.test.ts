import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPackagedConfig } from '../../../config/packaged.ts';
import { packagedConfig } from '../../../config/packing.ts';

it('settings that were packed sign requests for the bucket with the credentials of the function', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packaged-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'settings.json');
  const packing = {
    env: { LRS_ATTACHMENT_BUCKET: 'my-attachments', AWS_SECRET_ACCESS_KEY: 'of-the-packer' },
    cwd: folder,
  };
  const text = JSON.stringify(packagedConfig(packing));
  expect(text).not.toContain('of-the-packer');
  writeFileSync(file, text);
  const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'of-the-function' };
  const loaded = readPackagedConfig(file, { env: { ...packing.env, ...credentials }, cwd: folder });
  expect(loaded?.config.lrs.attachmentBucket).toBe('my-attachments');
  expect(await loaded?.secrets.awsCredentials?.()).toEqual({
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'of-the-function',
  });
});

it.each([
  { LRS_DB_JDBC_URL: 'postgres://u@db.example/store' },
  { LRS_DB_TYPE: 'postgres', LRS_DB_PROPERTIES: 'user=u&password=hidden' },
])('settings in which others are hidden are not packed: %o', (env) => {
  expect(packagedConfig({ env, cwd: tmpdir() })).toBeUndefined();
});

it.each(['lrs.json', 'lrsql.json'])('settings that were packed do not count beside config/%s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'packaged-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = { env: {}, cwd: folder };
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify(packagedConfig(source)));
  expect(readPackagedConfig(file, source)).toBeDefined();
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'config', name), '{}');
  expect(readPackagedConfig(file, source)).toBeUndefined();
  expect(packagedConfig(source)).toBeUndefined();
});
