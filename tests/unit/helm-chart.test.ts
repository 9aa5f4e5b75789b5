import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { loadConfig } from '../../config/config.ts';
import packageJson from '../../package.json' with { type: 'json' };

const chart = join(import.meta.dirname, '../../ops/helm/serverless-lrs');
const textOf = (name: string): string => readFileSync(join(chart, name), 'utf8');
const templates = readdirSync(join(chart, 'templates'));
const isInstalled = spawnSync('helm', ['version'], { stdio: 'ignore' }).status === 0;

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly template?: { readonly spec: PodSpec };
    readonly selector?: { readonly matchLabels: object };
  };
}

interface PodSpec {
  readonly securityContext: object;
  readonly enableServiceLinks: boolean;
  readonly containers: readonly {
    readonly command?: readonly string[];
    readonly securityContext: object;
    readonly resources: object;
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly envFrom: readonly object[];
  }[];
}

describe('the Helm chart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chart-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
    JSON.parse(textOf('values.schema.json')),
  );
  const defaults = parse(textOf('values.yaml'));

  it('installs the release of this repository', () => {
    expect(parse(textOf('Chart.yaml'))).toMatchObject({
      apiVersion: 'v2',
      name: packageJson.name,
      appVersion: packageJson.version,
    });
  });

  it('has values that fit their schema once the Secret is named', () => {
    expect(validate({ ...defaults, existingSecret: 'lrs' }), JSON.stringify(validate.errors)).toBe(true);
    expect(validate(defaults)).toBe(false);
    expect(validate({ ...defaults, existingSecret: 'lrs', replicas: 2 })).toBe(false);
  });

  it('has a schema for each value, and for nothing else', () => {
    const { properties } = JSON.parse(textOf('values.schema.json'));
    expect(Object.keys(defaults).sort()).toEqual(
      Object.keys(properties)
        .filter((name) => name !== 'global')
        .sort(),
    );
  });

  it.each(templates)('uses only values that there are, in balanced blocks: %s', (name) => {
    const text = textOf(join('templates', name));
    const words = [...text.matchAll(/\{\{-?\s*(\w+)/g)].map(([, word = '']) => word);
    const opened = words.filter((word) => ['if', 'with', 'range', 'define'].includes(word)).length;
    expect(words.filter((word) => word === 'end')).toHaveLength(opened);
    for (const [, path = ''] of text.matchAll(/\$?\.Values\.([\w.]+)/g)) {
      const value = path.split('.').reduce((tree, step) => tree?.[step], defaults);
      expect(value, path).toBeDefined();
    }
  });

  it('opens the port of metrics to those that `metrics.from` names, by default Prometheus, and to nobody else', () => {
    const policy = textOf('templates/network-policy.yaml');
    const [calls = '', metrics = ''] = policy.split(
      '{{- if and .Values.metrics.enabled .Values.metrics.from }}',
    );
    expect(calls).not.toContain('port: metrics');
    expect(metrics).toMatch(
      /^\n {4}- ports:\n {8}- port: metrics\n {6}from:\n {8}\{\{- toYaml \.Values\.metrics\.from /,
    );
    expect(defaults.metrics.from).toEqual([
      {
        namespaceSelector: {},
        podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } },
      },
    ]);
  });

  describe.skipIf(!isInstalled)('as helm renders it', () => {
    const render = (values: object) => {
      const file = join(folder, 'values.yaml');
      writeFileSync(file, stringify(values));
      const args = ['template', 'lrs', chart, '--values', file];
      return spawnSync('helm', args, { encoding: 'utf8' });
    };
    const manifests = (values: object): Manifest[] => {
      const { stdout, stderr, status } = render({ existingSecret: 'lrs', ...values });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return parseAllDocuments(stdout).map((each) => each.toJS());
    };

    it('passes the checks of helm', () => {
      const { stdout, status } = spawnSync(
        'helm',
        ['lint', '--strict', chart, '--set', 'existingSecret=lrs'],
        {
          encoding: 'utf8',
        },
      );
      expect(status, stdout).toBe(0);
    });

    it('needs the name of a Secret', () => {
      expect(render({}).stderr).toContain('existingSecret');
    });

    it('has pods without rights on a read-only file system, with settings that the LRS accepts', () => {
      const pods = manifests({}).flatMap(({ spec }) => spec.template?.spec ?? []);
      expect(pods).toHaveLength(2);
      for (const { securityContext, enableServiceLinks, containers } of pods) {
        expect(securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        expect(enableServiceLinks).toBe(false);
        const [container] = containers;
        expect(container).toMatchObject({
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          resources: { requests: { cpu: '500m' }, limits: { memory: '1Gi' } },
          envFrom: [{ secretRef: { name: 'lrs' } }],
        });
        const env = Object.fromEntries(container?.env.map(({ name, value }) => [name, value]) ?? []);
        const url = { LRS_DATABASE_URL: 'postgres://lrs:secret@database.example/lrs?sslmode=verify-full' };
        const { config } = loadConfig({ env: { ...env, ...url }, cwd: folder });
        expect(config.database).toMatchObject({ dbType: 'postgres', dbHost: 'database.example' });
      }
    });

    it('serves metrics on a port of their own where that is wanted', () => {
      const text = render({ existingSecret: 'lrs', metrics: { enabled: true } }).stdout;
      expect(text).toContain('containerPort: 9464');
      expect(text).toContain('prometheus.io/port: "9464"');
      expect(text).toMatch(/- port: metrics\n\s+from:\n\s+- namespaceSelector/);
      expect(render({ existingSecret: 'lrs' }).stdout).not.toMatch(/9464|annotations:\n\s+spec/);
    });

    it('migrates before pods start, and can be made smaller or larger', () => {
      const kinds = (values: object) =>
        manifests(values)
          .map(({ kind }) => kind)
          .sort();
      const always = ['Deployment', 'Service'];
      const off = { enabled: false };
      expect(
        kinds({ autoscaling: off, podDisruptionBudget: off, networkPolicy: off, migration: off }),
      ).toEqual(always);
      const all = manifests({ ingress: { enabled: true, host: 'lrs.example.org', tlsSecret: 'tls' } });
      expect(all.map(({ kind }) => kind).sort()).toEqual([
        ...['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'NetworkPolicy'],
        ...['PodDisruptionBudget', 'Service'],
      ]);
      const job = all.find(({ kind }) => kind === 'Job');
      expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
      expect(job?.spec.template?.spec.containers[0]?.command).toEqual(['node', '/lrs/migrate.mjs']);
    });
  });
});
