import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { serverEngines, type TestPlace } from '../support/engines.ts';
import { firstAccount, sendTo } from '../support/entrance.ts';
import type { ClientAnswer, ClientRequest } from '../support/gateway-events.ts';
import { databaseSettings, type ServerProcess, startServerProcess } from '../support/server-process.ts';

const pair = { LRS_API_KEY_DEFAULT: 'key', LRS_API_SECRET_DEFAULT: 'secret' };
const account = {
  LRS_ADMIN_USER_DEFAULT: firstAccount.username,
  LRS_ADMIN_PASS_DEFAULT: firstAccount.password,
};
const headers = {
  authorization: `Basic ${btoa('key:secret')}`,
  'x-experience-api-version': '1.0.3',
  'content-type': 'application/json',
  // A connection for each request, so that each may come to another process.
  connection: 'close',
};

interface Page {
  readonly statements: readonly { readonly id: string; readonly stored: string }[];
  readonly more: string;
}

describe.each(serverEngines)('several processes on one port and $name', (engine) => {
  let place: TestPlace;
  let directory = '';
  let server: ServerProcess;
  let origin = '';

  beforeEach(async () => {
    place = await engine.reserve();
    directory = mkdtempSync(join(tmpdir(), 'workers-'));
    const env = { ...databaseSettings(place.options), ...pair, ...account, LRS_LOG_LEVEL: 'ALL' };
    const args = ['--db', engine.dialect, '--workers', '2'];
    server = startServerProcess({ directory, program: builtProgram('serve'), env, args });
    origin = await server.origin();
  });

  afterEach(async () => {
    server.child.kill('SIGTERM');
    await server.exit();
    rmSync(directory, { recursive: true });
    await place.remove();
  });

  /** A request that dies with its process is sent again, as clients do; the ids of statements make that harmless. */
  async function send(request: ClientRequest): Promise<ClientAnswer> {
    for (;;) {
      const answer = await Promise.race([sendTo(origin, request).catch(() => undefined), sleep(10_000)]);
      if (answer !== undefined) return answer;
      await sleep(20);
    }
  }

  const post = (ids: readonly string[]) => {
    const statements = ids.map((id) => ({
      id,
      actor: { mbox: 'mailto:ann@example.org', name: `Ann ${id}` },
      verb: { id: 'https://example.org/did' },
      object: { id: 'https://example.org/thing', definition: { name: { en: id } } },
    }));
    const body = JSON.stringify(statements);
    return send({ method: 'POST', path: '/xapi/statements', headers, body });
  };

  async function get(path: string, query?: string) {
    const answer = await send({ method: 'GET', path, headers, ...(query !== undefined && { query }) });
    expect(answer.status).toBe(200);
    const page: Page = JSON.parse(answer.body.toString());
    return { page, through: answer.headers['x-experience-api-consistent-through'] ?? '' };
  }

  /**
   * Reads what is new up to what each answer says to be complete, until that has reached the time to stop at. What one
   * process says may be older than what another has said before (docs/guarantees.md), so the newest counts.
   */
  async function readIncrementally(stopAt: () => string | undefined): Promise<string[]> {
    const seen: string[] = [];
    let since = '1970-01-01T00:00:00Z';
    for (let end = stopAt(); end === undefined || since < end; end = stopAt()) {
      const { through } = await get('/xapi/statements', 'limit=1');
      const query = new URLSearchParams({ since, until: through, ascending: 'true', limit: '50' });
      let { page } = await get('/xapi/statements', query.toString());
      seen.push(...page.statements.map(({ id }) => id));
      while (page.more !== '') {
        const [path = '', more] = page.more.split('?');
        ({ page } = await get(path, more));
        seen.push(...page.statements.map(({ id }) => id));
      }
      if (through > since) since = through;
    }
    return seen;
  }

  it('say once what all of them find at their start', async () => {
    await expect.poll(server.err).toMatch(/HTTPS uses a self-signed certificate/);
    server.child.kill('SIGTERM');
    await server.exit();
    expect(server.err().match(/HTTPS uses a self-signed certificate/g)).toHaveLength(1);
  });

  it('lose, repeat and refuse nothing while a reader follows, though one of them is killed meanwhile', async () => {
    let newest: string | undefined;
    const reading = readIncrementally(() => newest);
    const acknowledged: string[] = [];
    const refused: number[] = [];
    const kill = async () => {
      await expect.poll(() => acknowledged.length, { interval: 10 }).toBeGreaterThan(50);
      const workers = await childrenOf(server.child.pid ?? 0);
      expect(workers).toHaveLength(2);
      process.kill(workers[0] ?? 0, 'SIGKILL');
    };
    await Promise.all([
      kill(),
      ...Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 25; round += 1) {
          const ids = Array.from({ length: 1 + (round % 5) }, () => randomUUID());
          const { status } = await post(ids);
          if (status === 200) acknowledged.push(...ids);
          else refused.push(status);
        }
      }),
    ]);
    newest = (await get('/xapi/statements', 'limit=1')).page.statements[0]?.stored;
    const seen = await reading;
    expect(refused).toEqual([]);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.toSorted()).toEqual(acknowledged.toSorted());
    await expect.poll(async () => (await childrenOf(server.child.pid ?? 0)).length).toBe(2);
  });
});

/** The ids of the processes that a process has started (Linux). */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
