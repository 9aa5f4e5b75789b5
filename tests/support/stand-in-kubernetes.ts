import { once } from 'node:events';
import { createServer } from 'node:http';

/** What a Deployment of the cluster has. */
export interface Installed {
  readonly replicas: number;
  readonly image: string;
}

/** The kinds of objects that the chart makes, by the group that has them. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  '/api/v1': ['Service'],
  '/apis/apps/v1': ['Deployment'],
  '/apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  '/apis/batch/v1': ['Job'],
  '/apis/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  '/apis/policy/v1': ['PodDisruptionBudget'],
};

/**
 * Enough of the interface of Kubernetes for helm to look a Deployment up.
 * @param installed undefined: there is none.
 */
export async function standInKubernetes(installed: Installed | undefined) {
  const server = createServer(({ url = '' }, response) => {
    const found = answerTo(url.split('?')[0] ?? '', installed);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(found ?? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

function answerTo(path: string, installed: Installed | undefined): object | undefined {
  if (path === '/version') return { major: '1', minor: '35', gitVersion: 'v1.35.0' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups() };
  if (kinds[path] !== undefined) return resourceList(path);
  if (installed === undefined || !path.endsWith('/deployments/lrs-serverless-lrs')) return undefined;
  const { replicas, image } = installed;
  const template = { spec: { containers: [{ name: 'lrs', image }] } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec: { replicas, template } };
}

function groups(): object[] {
  return Object.keys(kinds).flatMap((path) => {
    const [, apis, name, version] = path.split('/');
    if (apis !== 'apis') return [];
    const versions = [{ groupVersion: `${name}/${version}`, version }];
    return { name, versions, preferredVersion: versions[0] };
  });
}

function resourceList(path: string): object {
  const resources = (kinds[path] ?? []).map((kind) => {
    const singular = kind.toLowerCase();
    const plural = singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
    const name = singular === 'ingress' ? 'ingresses' : plural;
    return { name, singularName: singular, namespaced: true, kind, verbs: ['get'] };
  });
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: path.replace(/^\/apis?\//, ''),
    resources,
  };
}
