import { InvalidError } from '../../errors.ts';
import { parseJson } from '../../json/json.ts';
import type { JsonObject } from '../../json/types.ts';
import { filledIn, readTemplate } from '../../json-template.ts';
import type { OidcSettings } from './types.ts';

/**
 * The settings of an OpenID client (oidc-client-ts) for a public page, from the template or else those that most providers
 * need. Variables of the template are `webserver.` or `lrs.` and a key of the configuration, in camel case or with hyphens
 * as in lrsql; one that is not set is empty.
 * @returns undefined when no client is configured.
 * @throws InvalidError when the template has an unknown variable or gives no JSON object.
 */
export async function clientSettings(settings: OidcSettings): Promise<JsonObject | undefined> {
  const { oidcClientId, oidcClientTemplate: file } = settings.webserver;
  if (oidcClientId === null) return undefined;
  if (file === null) return builtIn(settings, oidcClientId);
  const template = await readTemplate(file);
  try {
    const { value } = parseJson(Buffer.from(filledIn(template, (name) => settingOf(name, settings))));
    if (isObject(value)) return value;
    throw new InvalidError('It must give a JSON object.');
  } catch (cause) {
    if (!(cause instanceof InvalidError)) throw cause;
    throw new InvalidError(`The template ${file} of the OpenID client can't be used. ${cause.message}`, {
      cause,
    });
  }
}

function builtIn({ webserver, lrs }: OidcSettings, clientId: string): JsonObject {
  const { oidcIssuer, oidcAudience } = webserver;
  return {
    authority: oidcIssuer,
    client_id: clientId,
    response_type: 'code',
    scope: `openid profile ${lrs.oidcScopePrefix}admin`,
    automaticSilentRenew: true,
    monitorSession: false,
    filterProtocolClaims: false,
    ...(oidcAudience !== null && { extraQueryParams: { audience: oidcAudience } }),
  };
}

function settingOf(name: string, settings: OidcSettings): string {
  const [group, key = ''] = name.split('.');
  const members = group === 'webserver' || group === 'lrs' ? settings[group] : {};
  const camelCase = key.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (!Object.hasOwn(members, camelCase)) throw new InvalidError(`It has no variable ${name}.`);
  const value: unknown = Reflect.get(members, camelCase);
  return value === null || value === undefined ? '' : String(value);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
