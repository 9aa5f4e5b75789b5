import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { loadConfig } from '../../config/config.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { type Installed, standInKubernetes } from '../support/stand-in-kubernetes.ts';

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
    const render = (values: object, release = 'lrs') => {
      const file = join(folder, 'values.yaml');
      writeFileSync(file, stringify(values));
      const args = ['template', release, chart, '--values', file];
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

    it('writes the numbers of settings without exponents', () => {
      const settings = {
        ...{ LRS_OIDC_CLIENT_ID: 123456789012, LRS_MAX_BODY_BYTES: 20971520, LRS_A: 0.5 },
        ...{ LRS_B: true, LRS_C: '1e6' },
      };
      const pods = manifests({ settings }).flatMap(({ spec }) => spec.template?.spec ?? []);
      for (const { containers } of pods) {
        const env = containers[0]?.env.filter(({ name }) => name in settings);
        expect(Object.fromEntries(env?.map(({ name, value }) => [name, value]) ?? [])).toEqual({
          ...{ LRS_OIDC_CLIENT_ID: '123456789012', LRS_MAX_BODY_BYTES: '20971520', LRS_A: '0.5' },
          ...{ LRS_B: 'true', LRS_C: '1e6' },
        });
      }
    });

    it('has an autoscaler that a cluster accepts', () => {
      const { stderr } = render({ existingSecret: 'lrs', autoscaling: { minReplicas: 9, maxReplicas: 3 } });
      expect(stderr).toContain('autoscaling.minReplicas must not be above autoscaling.maxReplicas');
    });

    it.each(['1lrs', '9', 'my.lrs', '1-serverless-lrs'])(
      'refuses the release %s, which makes no name of a Service',
      (release) => {
        expect(render({ existingSecret: 'lrs' }, release).stderr).toContain(
          `the release ${release} has a name that a Service cannot have`,
        );
      },
    );

    it('takes the engine of the database from one value', () => {
      for (const name of ['LRS_DB_TYPE', 'LRSQL_DB_TYPE']) {
        const { stderr } = render({ existingSecret: 'lrs', settings: { [name]: 'mariadb' } });
        expect(stderr).toContain(`settings.${name} must be left out: database says which engine it is`);
      }
    });

    it('serves metrics on a port of their own where that is wanted', () => {
      const text = render({ existingSecret: 'lrs', metrics: { enabled: true } }).stdout;
      expect(text).toContain('containerPort: 9464');
      expect(text).toContain('prometheus.io/port: "9464"');
      expect(text).toMatch(/- port: metrics\n\s+from:\n\s+- namespaceSelector/);
      expect(render({ existingSecret: 'lrs' }).stdout).not.toMatch(/9464|annotations:\n\s+spec/);
    });

    it.each([8080, 8443])('refuses metrics on a port that serves requests: %i', (port) => {
      const { stderr } = render({ existingSecret: 'lrs', metrics: { enabled: true, port } });
      expect(stderr).toContain(`metrics.port must be another than ${port}, on which the pods serve requests`);
    });

    /** The Deployment that an upgrade makes of what a cluster has. */
    const upgraded = async (installed: Installed | undefined, autoscaling = true) => {
      const cluster = await standInKubernetes(installed);
      const kubeconfig = join(folder, 'kubeconfig');
      const context = { cluster: 'here', user: 'here' };
      writeFileSync(
        kubeconfig,
        stringify({
          ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'here' },
          clusters: [{ name: 'here', cluster: { server: cluster.url } }],
          users: [{ name: 'here', user: {} }],
          contexts: [{ name: 'here', context }],
        }),
      );
      const asked = ['--is-upgrade', '--dry-run=server', '--disable-openapi-validation'];
      const values = ['--set', `existingSecret=lrs,autoscaling.enabled=${autoscaling}`];
      const args = ['template', 'lrs', chart, '--kubeconfig', kubeconfig, ...asked, ...values];
      try {
        const { stdout } = await promisify(execFile)('helm', args, { encoding: 'utf8' });
        return parseAllDocuments(stdout)
          .map((each) => each.toJS())
          .find(({ kind }) => kind === 'Deployment');
      } finally {
        cluster.stop();
      }
    };
    const image = `serverless-lrs:${packageJson.version}`;

    it('refuses to upgrade while pods of another image run, and starts those that were stopped', async () => {
      await expect(upgraded({ replicas: 2, image: 'serverless-lrs:older' })).rejects.toThrow(
        'stop them with `kubectl --namespace default scale deployment/lrs-serverless-lrs --replicas 0`',
      );
      const replicas = async (...of: Parameters<typeof upgraded>) => (await upgraded(...of)).spec.replicas;
      expect(await replicas({ replicas: 0, image: 'serverless-lrs:older' })).toBe(2);
      expect(await replicas({ replicas: 5, image })).toBe(5);
      expect(await replicas({ replicas: 5, image }, false)).toBe(2);
      expect(await replicas(undefined)).toBeUndefined();
    });

    it('has a PodMonitor whose job is that of the alerts where that is wanted', () => {
      const podMonitor = { enabled: true, labels: { release: 'prometheus' }, token: true };
      const found = manifests({ metrics: { enabled: true, podMonitor } }).find(
        ({ kind }) => kind === 'PodMonitor',
      );
      expect(found).toMatchObject({
        metadata: { labels: { release: 'prometheus' } },
        spec: {
          podMetricsEndpoints: [
            {
              port: 'metrics',
              relabelings: [{ targetLabel: 'job', replacement: 'lrs' }],
              authorization: { credentials: { name: 'lrs', key: 'LRS_METRICS_TOKEN' } },
            },
          ],
        },
      });
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
