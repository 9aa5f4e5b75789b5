import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { serverEngines, type TestPlace } from '../support/engines.ts';
import { firstAccount } from '../support/entrance.ts';
import { hasPrometheus, type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { databaseSettings, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { newStatement } from '../support/statement-client.ts';
import { conditionLimit } from '../support/time-limits.ts';

const folder = join(import.meta.dirname, '../../ops/monitoring');
const token = 'a-token-for-prometheus';
const settings = {
  LRS_ADMIN_USER_DEFAULT: firstAccount.username,
  LRS_ADMIN_PASS_DEFAULT: firstAccount.password,
  LRS_API_KEY_DEFAULT: 'key',
  LRS_API_SECRET_DEFAULT: 'secret',
  LRS_METRICS_TOKEN: token,
  LRS_ENABLE_REACTIONS: 'true',
};

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard: {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
} = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8'));

/** The queries of the dashboard, with its variables replaced as Grafana does. */
const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({
    title,
    query: expr.replaceAll('$__rate_interval', '1m').replaceAll('$job', 'lrs').replaceAll('$instance', '.*'),
  })),
);

/** What stands in a query where the name of a metric may stand. */
const namesIn = (query: string): string[] =>
  query.match(/\b(?:up|(?:lrs|http|db|nodejs|process)_\w+)(?=\{)/g) ?? [];

/** Among others it has connections to its database. */
const [engine] = serverEngines;

describe.skipIf(!hasPrometheus || engine === undefined)(
  'the dashboard and the alerts in a Prometheus',
  () => {
    let place: TestPlace | undefined;
    let directory: string;
    let server: ServerProcess;
    let prometheus: Prometheus;
    let isOver = false;
    let traffic: Promise<void>;

    /** Statements that are stored, one that is refused, and a page, again and again. */
    async function send(origin: string): Promise<void> {
      const headers = {
        authorization: `Basic ${btoa('key:secret')}`,
        'x-experience-api-version': '1.0.3',
        'content-type': 'application/json',
      };
      const post = (body: object) =>
        fetch(`${origin}/xapi/statements`, { method: 'POST', headers, body: JSON.stringify(body) });
      while (!isOver) {
        expect((await post(newStatement())).status).toBe(200);
        expect((await post({})).status).toBe(400);
        expect((await fetch(`${origin}/xapi/statements`, { headers })).status).toBe(200);
      }
    }

    beforeAll(async () => {
      place = await engine?.reserve();
      directory = mkdtempSync(join(tmpdir(), 'lrs-monitoring-'));
      const database = place === undefined ? {} : databaseSettings(place.options);
      server = startServerProcess({
        directory,
        program: builtProgram('serve'),
        env: { ...settings, ...database },
      });
      const origin = await server.origin();
      traffic = send(origin);
      prometheus = await startPrometheus({
        target: new URL(origin).host,
        token,
        ruleFiles: [join(folder, 'alerts.yml')],
      });
    });
    afterAll(async () => {
      isOver = true;
      await traffic;
      await prometheus.stop();
      server.child.kill();
      await server.exit();
      rmSync(directory, { recursive: true, force: true });
      await place?.remove();
    });

    it.each(queries)(
      'have a query that returns data: $title, $query',
      { timeout: conditionLimit },
      async ({ query }) => {
        const values = async () => (await prometheus.query(query)).map(({ value }) => Number(value[1]));
        await expect
          .poll(values, { timeout: conditionLimit })
          .toContainEqual(expect.toSatisfy(Number.isFinite));
      },
    );

    it('fill the variables of the dashboard from metrics that there are', async () => {
      const known = await prometheus.metricNames();
      for (const { query } of dashboard.templating.list) {
        const text = typeof query === 'string' ? query : query.query;
        if (text === 'prometheus') continue;
        expect(known).toContain(/^label_values\((\w+)/.exec(text)?.[1]);
      }
    });

    it('have alerts that are valid and about metrics that there are', {
      timeout: conditionLimit,
    }, async () => {
      const evaluated = async () => (await prometheus.rules()).map(({ name, health }) => [name, health]);
      const names = (await prometheus.rules()).map(({ name }) => name);
      expect(names).toHaveLength(9);
      await expect.poll(evaluated, { timeout: conditionLimit }).toEqual(names.map((name) => [name, 'ok']));
      const known = await prometheus.metricNames();
      for (const { name, query } of await prometheus.rules()) {
        expect(namesIn(query), name).not.toEqual([]);
        for (const metric of namesIn(query)) expect(known, name).toContain(metric);
        expect(await prometheus.query(query), name).toBeInstanceOf(Array);
      }
    });
  },
);
