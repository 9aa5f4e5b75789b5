import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasCurl } from '../support/curl.ts';
import { codeBlocks } from '../support/documentation.ts';
import { type ServerEntrance, serverEntrance } from '../support/entrance.ts';

/* What docs/first-steps.md says is so. */

const run = promisify(execFile);
const [start = '', ...commands] = codeBlocks('first-steps.md')
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code);
const settings = Object.fromEntries(
  [...start.matchAll(/(LRS_\w+)='?([^' ]+)'?/g)].map(([, name, value]) => [name, value]),
);

if (hasCurl) {
  describe('the commands of docs/first-steps.md', () => {
    let server: ServerEntrance;
    beforeAll(async () => {
      server = await serverEntrance('http', settings);
    });
    afterAll(() => server?.close());

    it('work one after the other: the last statement read is the one that was sent', async () => {
      expect(Object.keys(settings)).toEqual(['LRS_ADMIN_USER_DEFAULT', 'LRS_ADMIN_PASS_DEFAULT']);
      const script = commands.join('\n').replaceAll('http://localhost:8080', server.url);
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
        env: { PATH: process.env.PATH },
      });
      expect(stdout).toContain('"statements":[{');
      expect(stdout).toContain('"mailto:ann@example.org"');
      expect(stdout).toContain('https://example.org/courses/first-steps');
    });
  });
}
