import { decodedPath } from '../router.ts';

/** The groups of endpoints that requests reach. */
export type GroupName = 'statements' | 'resources' | 'administration' | 'screen';

/**
 * The group that has the endpoints of a path, as the routes of the HTTP API in `serverless.yml` choose it.
 * @param path percent-encoded, without a query.
 */
export function groupOf(path: string, urlPrefix: string): GroupName {
  const plain = path.includes('%') ? decodedPath(path) : path;
  if (plain === `${urlPrefix}/about` || plain === '/admin/ui' || plain.startsWith('/admin/ui/'))
    return 'screen';
  if (plain === `${urlPrefix}/statements`) return 'statements';
  if (plain.startsWith(`${urlPrefix}/`) || /^\/attachments(\/|$)/.test(plain)) return 'resources';
  return plain.startsWith('/admin/') ? 'administration' : 'screen';
}
