import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { errorHeader, type Gateway, startGateway } from '../emulator/gateway.ts';
import { FunctionPool, type PoolOptions } from '../emulator/pool.ts';
import { sendTo } from '../support/entrance.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** Functions made of some source, behind a gateway. */
async function deploy(source: string, options: Partial<PoolOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'lrs-function-'));
  mkdirSync(join(directory, 'dist'));
  writeFileSync(join(directory, 'dist/lambda-probe.mjs'), source);
  const printed: string[] = [];
  const pool = new FunctionPool({
    ...{ name: 'probe', directory, environment: { COLOUR: 'green' }, memory: 256, timeout: 60 },
    ...{ concurrency: 10, freezes: true, quota: 'none', node: process.execPath },
    onOutput: (text) => printed.push(text),
    ...options,
  });
  const gateway: Gateway = await startGateway(() => pool);
  closings.push(
    () => rmSync(directory, { recursive: true }),
    () => pool.stop(),
    () => gateway.close(),
  );
  const get = (path: string) => sendTo(gateway.url, { method: 'GET', path });
  return { pool, url: gateway.url, get, printed, directory };
}

const stateOf = (pid: number | undefined): string | undefined =>
  /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];

const echo = `export const handler = async (event, context) => ({
  statusCode: 201,
  headers: { 'X-Seen': context.awsRequestId.length, 'content-type': 'application/json' },
  body: JSON.stringify({ event, colour: process.env.COLOUR, function: context.functionName,
    left: context.getRemainingTimeInMillis() }),
});`;

describe('the emulated Lambda', () => {
  it('gives a function the event of an HTTP API, its environment and its context', async () => {
    const { url } = await deploy(echo);
    const answer = await sendTo(url, {
      method: 'PUT',
      path: '/a%2Fb',
      query: 'x=1&x=%20',
      headers: { 'X-Any': 'Case', 'content-type': 'image/png', cookie: 'a=1; b=2' },
      body: Buffer.from([0, 255, 128]),
    });
    expect([answer.status, answer.headers['x-seen']]).toEqual([201, '36']);
    const seen = JSON.parse(answer.body.toString());
    expect(seen).toMatchObject({
      ...{ colour: 'green', function: 'lrs-probe' },
      event: {
        ...{ version: '2.0', rawPath: '/a%2Fb', rawQueryString: 'x=1&x=%20', cookies: ['a=1', 'b=2'] },
        ...{ body: Buffer.from([0, 255, 128]).toString('base64'), isBase64Encoded: true },
        headers: { 'x-any': 'Case' },
        requestContext: { http: { method: 'PUT' } },
      },
    });
    expect(seen.left).toBeGreaterThan(0);
    const text = await sendTo(url, {
      ...{ method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body: '{"é":1}' },
    });
    expect(JSON.parse(text.body.toString()).event).toMatchObject({ body: '{"é":1}', isBase64Encoded: false });
  });

  it('freezes an instance whenever it has nothing to do, and uses it again', async () => {
    const { pool, get } = await deploy(
      'let calls = 0; export const handler = async () => ({ body: String((calls += 1)) });',
    );
    for (const count of ['1', '2', '3']) {
      expect((await get('/')).body.toString()).toBe(count);
      await expect.poll(() => stateOf(pool.instances[0]?.pid)).toBe('T');
    }
    expect(pool.inits).toHaveLength(1);
    expect(pool.inits[0]?.milliseconds).toBeGreaterThan(0);
  });

  it('leaves an instance running where it is not to freeze', async () => {
    const { pool, get } = await deploy(echo, { freezes: false });
    await get('/');
    expect(stateOf(pool.instances[0]?.pid)).not.toBe('T');
  });

  it('gives each instance one request at a time, and refuses what is more than its concurrency with 429', async () => {
    const { pool, get, directory } = await deploy(
      `import { existsSync } from 'node:fs';
      let busy = 0;
      export const handler = async () => {
        const body = String((busy += 1));
        while (!existsSync('release')) await new Promise((resolve) => setTimeout(resolve, 20));
        busy -= 1;
        return { body };
      };`,
      { concurrency: 2 },
    );
    await pool.provision(2, 2);
    const served = [get('/'), get('/')];
    await expect.poll(() => pool.busy).toBe(2);
    expect((await get('/')).status).toBe(429);
    writeFileSync(join(directory, 'release'), '');
    expect((await Promise.all(served)).map(({ body }) => body.toString())).toEqual(['1', '1']);
    expect(pool.inits).toHaveLength(2);
  });

  it('tells what has failed, and goes on with another instance where one has ended', async () => {
    const { pool, get, printed } = await deploy(
      `export const handler = async ({ rawPath }) => {
        if (rawPath === '/throw') throw new TypeError('broken');
        if (rawPath === '/exit') process.exit(3);
        if (rawPath === '/hang') await new Promise(() => setInterval(() => {}, 1000));
        return { body: 'fine' };
      };`,
    );
    const outcomeOf = async (path: string) => {
      const { status, headers } = await get(path);
      return [status, headers[errorHeader]];
    };
    expect(await outcomeOf('/throw')).toEqual([500, 'Unhandled']);
    expect(await outcomeOf('/exit')).toEqual([500, 'ExitError']);
    // The instance whose handler has thrown was used again.
    expect(pool.inits).toHaveLength(1);
    await expect.poll(() => printed.join('')).toContain('broken');
    const hanging = outcomeOf('/hang');
    await expect.poll(() => pool.busy).toBe(1);
    await pool.instances[0]?.kill();
    expect(await hanging).toEqual([500, 'killed']);
    expect(await outcomeOf('/')).toEqual([200, undefined]);
  });

  it('ends an instance that takes longer than it may', async () => {
    const { get } = await deploy(
      'export const handler = () => new Promise(() => setInterval(() => {}, 1000));',
      { timeout: 1 },
    );
    const { status, headers } = await get('/');
    expect([status, headers[errorHeader]]).toEqual([500, 'Timeout']);
  });

  it('tells of a function that can not be loaded', async () => {
    const { get, printed } = await deploy("throw new RangeError('no such module');");
    const { status, headers } = await get('/');
    expect([status, headers[errorHeader]]).toEqual([500, 'Init']);
    await expect.poll(() => printed.join('')).toContain('no such module');
  });

  it('refuses a result that is larger than Lambda takes', async () => {
    const { get } = await deploy("export const handler = async () => ({ body: 'x'.repeat(6 * 2 ** 20) });");
    expect((await get('/')).status).toBe(500);
  });

  it('passes on the answer of a streaming function in pieces, and breaks it off where the function fails', async () => {
    const { get } = await deploy(
      `export const handler = awslambda.streamifyResponse(async ({ rawPath }, answer) => {
        const out = awslambda.HttpResponseStream.from(answer, { statusCode: 202, headers: { 'x-a': 'b' } });
        for (let row = 0; row < 8; row += 1) out.write('y'.repeat(1_000_000));
        if (rawPath === '/fail') throw new Error('broken off');
        out.end();
      });`,
    );
    const { status, headers, body } = await get('/');
    expect([status, headers['x-a'], body.length]).toEqual([202, 'b', 8_000_000]);
    await expect(get('/fail')).rejects.toThrow();
    expect((await get('/')).status).toBe(202);
  });
});
