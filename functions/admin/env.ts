import type { Call } from '../../lib/http/call.ts';
import { type Handler, type Open, openHandler } from '../../lib/http/handler.ts';
import { json } from '../../lib/http/responses.ts';
import { jsonObject } from '../../lib/http/steps/json-body.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** The settings that a client of the administration goes by. */
export function envHandlers(open: Open): Record<'getEnv', Handler> {
  return { getEnv: openHandler(open, getEnv, { readsBody: true }) };
}

/**
 * The members are lrsql's, and what they say goes for its screen too. Needs no body; one that is there has to be a JSON object, as
 * everywhere in the administration.
 */
async function getEnv({ lrs, body }: Call): Promise<HttpResponse> {
  if (body.length > 0) jsonObject(body);
  const { webserver, store, lrs: settings } = lrs.config;
  const { jwtNoVal, jwtNoValLogoutUrl } = webserver;
  return json(200, {
    'jwt-refresh-interval': webserver.jwtRefreshInterval,
    'jwt-interaction-window': webserver.jwtInteractionWindow,
    'url-prefix': webserver.urlPrefix,
    'proxy-path': webserver.proxyPath,
    'enable-admin-delete-actor': webserver.enableAdminDeleteActor,
    'enable-admin-status': webserver.enableAdminStatus,
    'enable-reactions': settings.enableReactions,
    'enable-stores': lrs.config.stores.enableStores,
    ...(store && { store: store.name }),
    'no-val?': jwtNoVal,
    ...(jwtNoVal && jwtNoValLogoutUrl !== null && { 'no-val-logout-url': jwtNoValLogoutUrl }),
    'admin-language-code': webserver.adminLanguage,
    'custom-language': {},
    'stmt-get-max': settings.stmtGetMax,
    'auth-by-cred-id': webserver.authByCredId,
    'supported-versions': settings.supportedVersions,
    'reaction-version': settings.reactionVersion,
    ...(!(await lrs.accounts.exist()) && { 'no-accounts': true }),
    ...(lrs.oidc?.client && {
      oidc: lrs.oidc.client,
      'oidc-enable-local-admin': webserver.oidcEnableLocalAdmin,
    }),
  });
}
