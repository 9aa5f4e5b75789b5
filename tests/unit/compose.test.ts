import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../config/config.ts';
import { readArguments } from '../../scripts/serve-arguments.mjs';

const root = join(import.meta.dirname, '../..');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, object | null>>;
}

const files = readdirSync(root).filter((name) => /^(docker-)?compose.*\.ya?ml$/.test(name));
const overlays = ['docker-compose.monitoring.yml'];
const read = (name: string): ComposeFile => parse(readFileSync(join(root, name), 'utf8'));

/** The services and volumes of several files, as Compose merges them; a setting of a later file counts. */
function merged(names: readonly string[]): ComposeFile {
  const services: Record<string, Service> = {};
  for (const [name, service] of names.flatMap((each) => Object.entries(read(each).services))) {
    const environment = { ...services[name]?.environment, ...service.environment };
    services[name] = { ...services[name], ...service, environment };
  }
  return { services, volumes: Object.assign({}, ...names.map((each) => read(each).volumes ?? {})) };
}

/** What is run together: each file by itself, and with each overlay. */
const installations = files
  .filter((name) => !overlays.includes(name))
  .flatMap((name) => [[name], ...overlays.map((overlay) => [name, overlay])]);

describe.each(installations.map((names) => [names.join(' and '), names] as const))('%s', (_, names) => {
  const { services, volumes = {} } = merged(names);
  const each = Object.entries(services);

  it('gives every service an image or a folder to build', () => {
    for (const [name, { image, build }] of each) {
      expect(
        [image, build].filter((from) => from !== undefined),
        name,
      ).toHaveLength(1);
      if (image !== undefined) expect(image, name).toMatch(/^[a-z0-9./-]+:v?\d[\w.-]*$/);
      if (build !== undefined) expect(existsSync(join(root, build, 'Dockerfile')), name).toBe(true);
    }
  });

  it('starts the LRS with settings and arguments that there are', () => {
    const { command = '', environment = {} } = services.lrs ?? {};
    const { settings } = readArguments(command === '' ? [] : command.split(' '));
    const { warnings } = loadConfig({ env: { ...environment, ...settings }, cwd: join(root, 'tests') });
    expect(warnings.filter((warning) => !warning.includes('adminPassDefault'))).toEqual([]);
  });

  it('publishes nothing beyond this machine, and no port twice', () => {
    const ports = each.flatMap(([, service]) => service.ports ?? []);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('mounts only files and volumes that there are', () => {
    const mounts = each.flatMap(([, service]) => service.volumes ?? []);
    const used = mounts.map((mount) => mount.split(':')[0] ?? '');
    for (const from of used) {
      expect(from.startsWith('./') ? existsSync(join(root, from)) : from in volumes, from).toBe(true);
    }
    expect(Object.keys(volumes).filter((name) => !used.includes(name))).toEqual([]);
  });

  it('waits only for services that there are, and for health only where it is checked', () => {
    for (const [, { depends_on: needed = [] }] of each) {
      if (Array.isArray(needed)) {
        expect(Object.keys(services)).toEqual(expect.arrayContaining([...needed]));
        continue;
      }
      for (const [name, { condition }] of Object.entries(needed)) {
        expect(services[name]?.healthcheck !== undefined || condition !== 'service_healthy', name).toBe(true);
      }
    }
  });

  it('has the LRS log in to the database that it is given', () => {
    const { environment: lrs = {} } = services.lrs ?? {};
    const server = services[lrs.LRS_DB_HOST ?? ''];
    expect(server === undefined).toBe(lrs.LRS_DB_HOST === undefined);
    if (server === undefined) return;
    const values = Object.values(server.environment ?? {});
    for (const key of ['LRS_DB_NAME', 'LRS_DB_USER', 'LRS_DB_PASSWORD'])
      expect(values, key).toContain(lrs[key]);
  });
});

it('every compose file of the repository is examined', () => {
  expect(files.toSorted()).toEqual([
    'docker-compose.mariadb.yml',
    'docker-compose.monitoring.yml',
    'docker-compose.postgres.yml',
    'docker-compose.sqlite.yml',
  ]);
});
