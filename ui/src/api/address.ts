import { home } from '../observable/home.ts';

/** The address of a path of the service, such as `admin/creds` or `xapi/statements`, with a query if one is given. */
export function addressOf(path: string, query?: Query): string {
  const url = new URL(path.replace(/^\/+/, ''), home);
  if (query !== undefined) url.search = searchOf(query);
  return url.toString();
}

/** Parameters of a request; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, String(each));
  }
  return search.toString();
}
