/**
 * The one list of routes, as plain data: the adapter, `serverless.yml` (held equal by a test) and the answers to unknown
 * paths and methods go by it.
 */

export interface Route {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /**
   * Paths under `/xapi` move with the setting `webserver.urlPrefix`. A last segment in braces stands for any, and for any
   * number of segments where its name ends in a plus sign.
   */
  readonly path: string;
  readonly handler: string;
  /** Who may call: holders of a key pair, of a login token, or anybody. */
  readonly access: 'key-pair' | 'login' | 'anybody';
}

export const xapiPrefix = '/xapi';

export const routes = [
  { method: 'GET', path: '/xapi/statements', handler: 'getStatements', access: 'key-pair' },
  { method: 'HEAD', path: '/xapi/statements', handler: 'getStatements', access: 'key-pair' },
  { method: 'PUT', path: '/xapi/statements', handler: 'putStatement', access: 'key-pair' },
  { method: 'POST', path: '/xapi/statements', handler: 'postStatements', access: 'key-pair' },
  { method: 'GET', path: '/xapi/activities/state', handler: 'getState', access: 'key-pair' },
  { method: 'HEAD', path: '/xapi/activities/state', handler: 'getState', access: 'key-pair' },
  { method: 'PUT', path: '/xapi/activities/state', handler: 'putState', access: 'key-pair' },
  { method: 'POST', path: '/xapi/activities/state', handler: 'postState', access: 'key-pair' },
  { method: 'DELETE', path: '/xapi/activities/state', handler: 'deleteState', access: 'key-pair' },
  { method: 'GET', path: '/xapi/agents/profile', handler: 'getAgentProfile', access: 'key-pair' },
  { method: 'HEAD', path: '/xapi/agents/profile', handler: 'getAgentProfile', access: 'key-pair' },
  { method: 'PUT', path: '/xapi/agents/profile', handler: 'putAgentProfile', access: 'key-pair' },
  { method: 'POST', path: '/xapi/agents/profile', handler: 'postAgentProfile', access: 'key-pair' },
  { method: 'DELETE', path: '/xapi/agents/profile', handler: 'deleteAgentProfile', access: 'key-pair' },
  { method: 'GET', path: '/xapi/activities/profile', handler: 'getActivityProfile', access: 'key-pair' },
  { method: 'HEAD', path: '/xapi/activities/profile', handler: 'getActivityProfile', access: 'key-pair' },
  { method: 'PUT', path: '/xapi/activities/profile', handler: 'putActivityProfile', access: 'key-pair' },
  { method: 'POST', path: '/xapi/activities/profile', handler: 'postActivityProfile', access: 'key-pair' },
  {
    method: 'DELETE',
    path: '/xapi/activities/profile',
    handler: 'deleteActivityProfile',
    access: 'key-pair',
  },
  // These two, and about, take a POST only for a GET in the alternate request syntax (xAPI 1.0.3 Communication 1.3).
  { method: 'GET', path: '/xapi/agents', handler: 'getPerson', access: 'key-pair' },
  { method: 'HEAD', path: '/xapi/agents', handler: 'getPerson', access: 'key-pair' },
  { method: 'POST', path: '/xapi/agents', handler: 'getPerson', access: 'key-pair' },
  { method: 'GET', path: '/xapi/activities', handler: 'getActivity', access: 'key-pair' },
  { method: 'HEAD', path: '/xapi/activities', handler: 'getActivity', access: 'key-pair' },
  { method: 'POST', path: '/xapi/activities', handler: 'getActivity', access: 'key-pair' },
  { method: 'GET', path: '/xapi/about', handler: 'getAbout', access: 'anybody' },
  { method: 'HEAD', path: '/xapi/about', handler: 'getAbout', access: 'anybody' },
  { method: 'POST', path: '/xapi/about', handler: 'getAbout', access: 'anybody' },
  // Large attachments, beside the xAPI.
  { method: 'POST', path: '/attachments', handler: 'announceAttachment', access: 'key-pair' },
  { method: 'GET', path: '/attachments/{sha2}', handler: 'getAttachment', access: 'key-pair' },
  { method: 'HEAD', path: '/attachments/{sha2}', handler: 'getAttachment', access: 'key-pair' },
  { method: 'POST', path: '/admin/account/login', handler: 'login', access: 'anybody' },
  { method: 'POST', path: '/admin/account/logout', handler: 'logout', access: 'login' },
  { method: 'GET', path: '/admin/account/renew', handler: 'renewToken', access: 'login' },
  { method: 'POST', path: '/admin/account/create', handler: 'createAccount', access: 'login' },
  { method: 'GET', path: '/admin/account', handler: 'listAccounts', access: 'login' },
  { method: 'DELETE', path: '/admin/account', handler: 'deleteAccount', access: 'login' },
  { method: 'PUT', path: '/admin/account/password', handler: 'changePassword', access: 'login' },
  { method: 'PUT', path: '/admin/account/reset-password', handler: 'resetPassword', access: 'login' },
  { method: 'GET', path: '/admin/me', handler: 'getMe', access: 'login' },
  { method: 'GET', path: '/admin/verify', handler: 'verifyLogin', access: 'login' },
  { method: 'POST', path: '/admin/creds', handler: 'createCredential', access: 'login' },
  { method: 'PUT', path: '/admin/creds', handler: 'updateCredential', access: 'login' },
  { method: 'GET', path: '/admin/creds', handler: 'listCredentials', access: 'login' },
  { method: 'DELETE', path: '/admin/creds', handler: 'deleteCredential', access: 'login' },
  { method: 'GET', path: '/admin/audit', handler: 'listAuditEvents', access: 'login' },
  { method: 'GET', path: '/admin/openapi', handler: 'getOpenApi', access: 'login' },
  { method: 'GET', path: '/admin/csv/auth', handler: 'authoriseCsv', access: 'login' },
  { method: 'GET', path: '/admin/csv', handler: 'getCsv', access: 'login' },
  { method: 'GET', path: '/admin/export', handler: 'getExport', access: 'login' },
  { method: 'GET', path: '/admin/export/size', handler: 'getExportSize', access: 'login' },
  { method: 'GET', path: '/admin/status', handler: 'getStatus', access: 'login' },
  { method: 'GET', path: '/admin/settings', handler: 'getSettings', access: 'login' },
  { method: 'GET', path: '/admin/agents', handler: 'listAgents', access: 'login' },
  { method: 'DELETE', path: '/admin/agents', handler: 'deleteActor', access: 'login' },
  { method: 'GET', path: '/admin/activities', handler: 'listActivities', access: 'login' },
  { method: 'GET', path: '/admin/documents', handler: 'listDocuments', access: 'login' },
  { method: 'POST', path: '/admin/reaction', handler: 'createReaction', access: 'login' },
  { method: 'GET', path: '/admin/reaction', handler: 'listReactions', access: 'login' },
  { method: 'PUT', path: '/admin/reaction', handler: 'updateReaction', access: 'login' },
  { method: 'DELETE', path: '/admin/reaction', handler: 'deleteReaction', access: 'login' },
  { method: 'POST', path: '/admin/reaction/preview', handler: 'previewReaction', access: 'login' },
  { method: 'POST', path: '/admin/reaction/replay', handler: 'replayReaction', access: 'login' },
  { method: 'GET', path: '/admin/reaction/firings', handler: 'findFirings', access: 'login' },
  { method: 'GET', path: '/admin/reaction/{id}', handler: 'getReaction', access: 'login' },
  // Only the Node.js server has stores beside the default one.
  { method: 'GET', path: '/admin/stores', handler: 'listStores', access: 'login' },
  { method: 'POST', path: '/admin/stores', handler: 'createStore', access: 'login' },
  { method: 'GET', path: '/admin/stores/{name}', handler: 'getStore', access: 'login' },
  { method: 'PUT', path: '/admin/stores/{name}', handler: 'changeStore', access: 'login' },
  { method: 'DELETE', path: '/admin/stores/{name}', handler: 'deleteStore', access: 'login' },
  { method: 'GET', path: '/admin/env', handler: 'getEnv', access: 'anybody' },
  { method: 'GET', path: '/', handler: 'getScreen', access: 'anybody' },
  { method: 'HEAD', path: '/', handler: 'getScreen', access: 'anybody' },
  { method: 'GET', path: '/assets/{file}', handler: 'getScreenFile', access: 'anybody' },
  { method: 'HEAD', path: '/assets/{file}', handler: 'getScreenFile', access: 'anybody' },
  { method: 'GET', path: '/admin', handler: 'findScreen', access: 'anybody' },
  { method: 'HEAD', path: '/admin', handler: 'findScreen', access: 'anybody' },
  { method: 'GET', path: '/admin/', handler: 'findScreen', access: 'anybody' },
  { method: 'HEAD', path: '/admin/', handler: 'findScreen', access: 'anybody' },
  { method: 'GET', path: '/admin/ui', handler: 'findScreen', access: 'anybody' },
  { method: 'HEAD', path: '/admin/ui', handler: 'findScreen', access: 'anybody' },
  { method: 'GET', path: '/admin/ui/{page+}', handler: 'findScreenPage', access: 'anybody' },
  { method: 'HEAD', path: '/admin/ui/{page+}', handler: 'findScreenPage', access: 'anybody' },
  { method: 'GET', path: '/health', handler: 'getHealth', access: 'anybody' },
  { method: 'HEAD', path: '/health', handler: 'getHealth', access: 'anybody' },
  { method: 'GET', path: '/health/ready', handler: 'getReadiness', access: 'anybody' },
  { method: 'HEAD', path: '/health/ready', handler: 'getReadiness', access: 'anybody' },
  { method: 'GET', path: '/metrics', handler: 'getMetrics', access: 'anybody' },
] as const satisfies readonly Route[];

export type HandlerName = (typeof routes)[number]['handler'] | 'preflight' | 'unrouted';

/** Answers OPTIONS on every path. */
export const preflightHandler = 'preflight';
/** Answers what no route answers: unknown paths and methods. */
export const unroutedHandler = 'unrouted';
