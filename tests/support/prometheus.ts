import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { conditionLimit } from './time-limits.ts';

const program = '/usr/bin/prometheus';

/** Whether Prometheus is installed. */
export const hasPrometheus = existsSync(program);
if (!hasPrometheus && process.env.LRS_TEST_FORBID_SKIP)
  throw new Error(`${program} is missing: install prometheus.`);

export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

export interface AlertRule {
  readonly name: string;
  /** A query. */
  readonly query: string;
  /** `unknown` until it was evaluated, `ok` or `err`. */
  readonly health: string;
  readonly lastError?: string;
}

/** A Prometheus that reads the metrics of one server every second. */
export interface Prometheus {
  /** @throws Error when the query is not valid. */
  query(expression: string): Promise<Series[]>;
  metricNames(): Promise<ReadonlySet<string>>;
  rules(): Promise<AlertRule[]>;
  stop(): Promise<void>;
}

interface PrometheusOptions {
  /** Where the metrics are, without a scheme, e.g. `127.0.0.1:8080`. */
  readonly target: string;
  readonly token: string;
  /** Files of alert rules. */
  readonly ruleFiles: readonly string[];
}

export async function startPrometheus({ target, token, ruleFiles }: PrometheusOptions): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ruleFiles,
    scrape_configs: [
      { job_name: 'lrs', authorization: { credentials: token }, static_configs: [{ targets: [target] }] },
    ],
  };
  // JSON is YAML, too.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'exit');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${origin}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const deadline = Date.now() + conditionLimit; !(await isReady()); await sleep(50)) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`Prometheus does not start: ${errors}`);
  }
  const ask = async (path: string, parameters: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { status, data, error } = JSON.parse(await answer.text());
    if (status !== 'success') throw new Error(`Prometheus refuses ${JSON.stringify(parameters)}: ${error}`);
    return data;
  };
  return {
    query: async (query) => (await ask('query', { query })).result,
    metricNames: async () => new Set<string>(await ask('label/__name__/values')),
    rules: async () =>
      (await ask('rules')).groups.flatMap(({ rules }: { readonly rules: AlertRule[] }) => rules),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
