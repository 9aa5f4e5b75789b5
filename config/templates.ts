import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { keys } from './schema/keys.ts';
import type { Settings } from './schema/settings.ts';
import type { Given } from './sources.ts';

/** Files of templates that are used without a setting when they exist, by key. */
const defaults = {
  authorityTemplate: 'config/authority.json.template',
  oidcAuthorityTemplate: 'config/oidc_authority.json.template',
  oidcClientTemplate: 'config/oidc_client.json.template',
} as const;

/** The settings with every template that has no setting at its default place, or null where there is none. */
export function withDefaultTemplates({ lrs, webserver, ...rest }: Settings, cwd: string): Settings {
  const fileOf = (set: string | null, key: keyof typeof defaults): string | null =>
    set !== null && set !== defaults[key] ? set : exists(defaults[key], cwd) ? defaults[key] : null;
  return {
    ...rest,
    lrs: {
      ...lrs,
      authorityTemplate: fileOf(lrs.authorityTemplate, 'authorityTemplate'),
      oidcAuthorityTemplate: fileOf(lrs.oidcAuthorityTemplate, 'oidcAuthorityTemplate'),
    },
    webserver: {
      ...webserver,
      oidcClientTemplate: fileOf(webserver.oidcClientTemplate, 'oidcClientTemplate'),
    },
  };
}

/** One sentence for each template that is named and not there. */
export function missingTemplates(given: ReadonlyMap<string, Given>, cwd: string): string[] {
  return Object.entries(defaults).flatMap(([key, usual]) => {
    const set = given.get(key);
    // A configuration of lrsql may name the default place.
    if (typeof set?.value !== 'string' || set.value === usual || exists(set.value, cwd)) return [];
    return [`${keys.get(key)?.group}.${key} (from ${set.origin}) names a file that does not exist.`];
  });
}

const exists = (file: string, cwd: string): boolean => existsSync(resolve(cwd, file));
