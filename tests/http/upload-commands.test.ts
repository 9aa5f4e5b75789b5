import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { hasCurl } from '../support/curl.ts';
import { codeBlocks } from '../support/documentation.ts';
import { serverEntrance } from '../support/entrance.ts';
import { startStandInS3 } from '../support/stand-in-s3.ts';

const pair = { LRS_API_KEY_DEFAULT: 'upload-key', LRS_API_SECRET_DEFAULT: 'secret-of-the-upload-commands' };

if (hasCurl) {
  it('the commands of docs/operation.md upload a video, describe it and download it', async () => {
    const bucket = await startStandInS3();
    onTestFinished(() => bucket.close());
    const server = await serverEntrance('http', { ...pair, ...bucket.env });
    onTestFinished(() => server.close());
    const folder = mkdtempSync(join(tmpdir(), 'upload-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [block] = codeBlocks('operation.md').filter(({ example }) => example === 'upload');
    const commands = block?.code.replaceAll('http://localhost:8080', server.url) ?? '';
    expect(commands).toContain(server.url);
    const env = {
      PATH: process.env.PATH,
      PAIR: `${pair.LRS_API_KEY_DEFAULT}:${pair.LRS_API_SECRET_DEFAULT}`,
    };
    await promisify(execFile)('bash', ['-euc', commands], { cwd: folder, env });
    const [sent, received] = ['video.mp4', 'downloaded.mp4'].map((name) => readFileSync(join(folder, name)));
    expect(received).toHaveLength(20_000_000);
    expect(sent?.equals(received ?? Buffer.alloc(0))).toBe(true);
  });
}
