/** The most characters of the name of a store. */
export const longestStoreName = 40;

/** A label of a host name in lower case (RFC 1123), so that every store can have a host name of its own. */
const storeName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Whether a store may be called that. */
export const isStoreName = (name: string): boolean => name.length <= longestStoreName && storeName.test(name);

/** What the store without a name is called, so that no other one has this name. */
export const defaultStoreName = 'default';

const prefix = '/stores/';

/** A path, and the store that it belongs to. */
export interface StorePath {
  /** As it is written in the path; undefined: the default store. */
  readonly store: string | undefined;
  /** The path within the store. */
  readonly path: string;
}

/**
 * Takes `/stores/{name}` off a path, e.g. `/stores/acme/xapi/about` becomes `/xapi/about` of `acme`.
 * @param path percent-encoded, without a gateway's stage.
 */
export function splitStorePath(path: string): StorePath {
  if (!path.startsWith(prefix)) return { store: undefined, path };
  const end = path.indexOf('/', prefix.length);
  const store = end < 0 ? path.slice(prefix.length) : path.slice(prefix.length, end);
  if (store === '') return { store: undefined, path };
  return { store, path: end < 0 ? '/' : path.slice(end) };
}

const placeholder = '{name}';

/** Whether the text is a host name with one label that stands for the name of a store, e.g. `{name}.lrs.example.org`. */
export const isHostPattern = (text: string): boolean =>
  text.startsWith(`${placeholder}.`) && /^[a-z0-9.-]+$/.test(text.slice(placeholder.length + 1));

/**
 * The store that a host name belongs to; undefined: the default store.
 * @param host the header `Host`, in any case, with or without a port and the dot of the root.
 * @param pattern e.g. `{name}.lrs.example.org`.
 */
export function storeOfHost(host: string | undefined, pattern: string): string | undefined {
  const name = host?.toLowerCase().replace(/\.?(?::\d*)?$/, '');
  const suffix = pattern.slice(placeholder.length);
  if (name === undefined || !name.endsWith(suffix)) return undefined;
  const label = name.slice(0, -suffix.length);
  return label === '' || label.includes('.') ? undefined : label;
}
