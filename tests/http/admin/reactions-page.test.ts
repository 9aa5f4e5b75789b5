import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reactionExamples } from '../../../lib/reactions/examples.ts';
import { type Administration, administrations } from '../../support/admin-client.ts';
import { hasCurl } from '../../support/curl.ts';
import { codeBlocks } from '../../support/documentation.ts';
import { type ServerEntrance, serverEntrance } from '../../support/entrance.ts';
import { type KeyPairHolder, keyPairHolder } from '../../support/key-pair.ts';
import { connect, parsed, stringMember } from '../../support/lrs-client.ts';
import { reactionRoutes, withReactions } from '../../support/reactions.ts';

/* What docs/reactions.md says is so. */

interface Statement {
  readonly actor: object;
  readonly verb: { readonly id: string };
}

const blocks = codeBlocks('reactions.md');

/** The ruleset, the statements and what they make, of one example. */
function example(name: string) {
  const [ruleset = 'null', statements = '[]', made = '[]'] = blocks
    .filter((block) => block.example === name && block.language === 'json')
    .map(({ code }) => code);
  return {
    ruleset: JSON.parse(ruleset) as object,
    statements: JSON.parse(statements) as Statement[],
    made: JSON.parse(made) as Statement[],
  };
}

describe.each(administrations)('the examples of docs/reactions.md, on $name', ({ open }) => {
  let lrs: Administration;
  let holder: KeyPairHolder;

  beforeAll(async () => {
    lrs = await open(withReactions);
    holder = await keyPairHolder(lrs);
  });
  afterAll(() => lrs?.close());

  /** Makes a reaction, sends statements one by one, and gives what it has generated, oldest first. */
  async function play(ruleset: object, statements: readonly object[]): Promise<Statement[]> {
    const routes = reactionRoutes(lrs, await lrs.firstToken());
    const id = await routes.create({ ruleset, title: undefined });
    for (const statement of statements) await holder.post(statement);
    let firings: { statementId: string }[] = [];
    await expect
      .poll(async () => {
        await lrs.settle();
        const details = await routes.details(id, 'limit=100');
        firings = details.firings as typeof firings;
        return details.lag;
      })
      .toMatchObject({ statements: 0 });
    await routes.send('DELETE', { reactionId: id });
    const made = firings.map(async ({ statementId }) => {
      const query = `statementId=${statementId}`;
      return parsed(await holder.xapi('GET', '/xapi/statements', { query })) as Statement;
    });
    return (await Promise.all(made)).toReversed();
  }

  it.each(reactionExamples)('$title makes the statements that the page shows', async ({ name, ruleset }) => {
    const shown = example(name);
    expect(shown.ruleset).toEqual(ruleset);
    expect(shown.made).toHaveLength(1);
    expect(await play(shown.ruleset, shown.statements)).toMatchObject(shown.made);
  });

  it('A certificate is made again when one module is passed once more.', async () => {
    const { ruleset, statements } = example('certificate');
    const actor = { mbox: 'mailto:again@example.org' };
    const passed = statements.map((statement) => ({ ...statement, actor }));
    expect(await play(ruleset, [...passed, { ...passed[0] }])).toHaveLength(2);
  });

  it('The fourth failed attempt makes three alerts, and the fifth six.', async () => {
    const { ruleset, statements } = example('alert');
    const attempts = (count: number) =>
      Array.from({ length: count }, () => ({
        ...statements[0],
        actor: { mbox: `mailto:n${count}@example.org` },
      }));
    expect(await play(ruleset, attempts(2))).toHaveLength(0);
    expect(await play(ruleset, attempts(4))).toHaveLength(1 + 3);
    expect(await play(ruleset, attempts(5))).toHaveLength(1 + 3 + 6);
  });

  it('With the number of the attempt there is one alert for each learner.', async () => {
    const { ruleset } = example('numbered');
    const attempt = (mbox: string, number: number) => ({
      ...example('alert').statements[0],
      actor: { mbox },
      result: { extensions: { 'https://example.org/extensions/attempt': number } },
    });
    const [dora, emil] = ['mailto:dora@example.org', 'mailto:emil@example.org'];
    const ofDora = [1, 2, 3, 4, 5].map((number) => attempt(dora, number));
    const ofEmil = [1, 2, 3].map((number) => attempt(emil, number));
    const made = await play(ruleset, [...ofDora, ...ofEmil]);
    expect(made.map(({ actor }) => Reflect.get(actor, 'mbox'))).toEqual([dora, emil]);
  });
});

describe.skipIf(!hasCurl)('the commands of docs/reactions.md', () => {
  let server: ServerEntrance;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'page-'));
    writeFileSync(join(folder, 'ruleset.json'), JSON.stringify(example('certificate').ruleset));
    server = await serverEntrance('http', withReactions);
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  const run = promisify(execFile);
  const commands = blocks
    .filter(({ language, code }) => language === 'sh' && !code.endsWith(' npm start\n'))
    .map(({ code }) => code);

  it('work one after the other, and show what the page says', async () => {
    const client = await connect(server);
    const pair = await client.admin('POST', '/admin/creds', { scopes: ['all'] });
    const login = await server.send({
      method: 'POST',
      path: '/admin/account/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'opsadmin', password: 'Tr1cky_pass!' }),
    });
    const env = {
      PATH: process.env.PATH,
      TOKEN: stringMember(login, 'json-web-token'),
      PAIR: `${stringMember(pair, 'api-key')}:${stringMember(pair, 'secret-key')}`,
    };
    // What a reaction makes of the second command is there a moment later.
    const pause = 'sleep 2\n';
    const patient = commands.map((command) => {
      if (!command.startsWith(pause)) return command;
      const query = command.slice(pause.length);
      return `until { ${query} } | grep -q stored; do sleep 0.1; done\n${query}`;
    });
    expect(patient).not.toEqual(commands);
    const script = patient.map((command, index) => `echo "--- ${index}"\n${command}\necho`).join('\n');
    const here = script.replaceAll('http://localhost:8080', server.url);
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', here], { cwd: folder, env });
    const shown = stdout
      .split(/^--- \d+$/m)
      .slice(1)
      .map((text) => text.trim());
    expect(shown).toHaveLength(commands.length);
    for (const text of shown) expect(text).not.toContain('"error":"');
    const all = shown.join('\n');
    expect(all).toMatch(/"triggeredBy":\{/);
    expect(all).toContain('"expected":"0.95","found":"0.95"');
    expect(all).toMatch(/"title":"Certificate"/);
    expect(all).toMatch(/"fired":1/);
    expect(all).toMatch(/"through":"/);
  });
});
