import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { MethodNotAllowedError } from '../errors.ts';
import type { ConfiguredLrs, Lrs } from '../lrs.ts';
import type { ScopedResource } from '../xapi/scopes.ts';
import type { Action, AdminCall, AuditedCall, DownloadCall, OpenCall, Step, XapiCall } from './call.ts';
import type { GatewayEvent, GatewayResult } from './gateways/index.ts';
import { inOne, takeAgain } from './in-one.ts';
import { alternateSyntax } from './steps/alternate-syntax.ts';
import { auditTrail } from './steps/audit-trail.ts';
import { authenticate, authenticateAgain } from './steps/authenticate.ts';
import { authenticateAccount } from './steps/authenticate-account.ts';
import { authenticateDownload } from './steps/authenticate-download.ts';
import { authorise } from './steps/authorise.ts';
import { cacheControl } from './steps/cache-control.ts';
import { checkOrigin, cors } from './steps/cors.ts';
import { endRevoked } from './steps/end-revoked.ts';
import { errors } from './steps/errors.ts';
import { gateway } from './steps/gateway.ts';
import { identifyOperator } from './steps/identify-operator.ts';
import { jsonBody } from './steps/json-body.ts';
import { limitAddress, limitKeyPair } from './steps/limit-rate.ts';
import { negotiateVersion } from './steps/negotiate-version.ts';
import { openForAllStores, openLrs } from './steps/open-lrs.ts';
import {
  announcedLength,
  authenticatedAfter,
  readAdminBody,
  readBody,
  readUnauthenticatedBody,
} from './steps/read-body.ts';
import { requestLog } from './steps/request-log.ts';
import { beginWrite, requireWritable } from './steps/require-writable.ts';
import { securityHeaders } from './steps/security-headers.ts';
import { serverTiming } from './steps/server-timing.ts';
import { versionHeader, versionHeaderUnderPrefix } from './steps/version-header.ts';
import type { HttpResponse } from './types.ts';

/** The event of any gateway in, its result out: what Lambda and the adapter call. */
export type Handler = (event: GatewayEvent, context?: Context) => Promise<GatewayResult>;

/** Opens the LRS or gives the one that is open. */
export type Open = () => Lrs | Promise<Lrs>;

/** Gives what of the LRS is there without its database. */
export type OpenConfigured = () => ConfiguredLrs | Promise<ConfiguredLrs>;

/*
 * The steps of each kind of handler, outermost first. Before the action they run from top to bottom, after it, and after an
 * error, from bottom to top: `errors` makes an answer of the error, the others complete it, `gateway` sends it off.
 */

/**
 * What a handler of the xAPI does.
 * @param authenticateAgain authenticates the call once more, after a long wait; throws UnauthenticatedError or ForbiddenError.
 */
export type XapiAction = (call: XapiCall, authenticateAgain: () => Promise<void>) => Promise<HttpResponse>;

interface XapiHandlerOptions {
  /** By method, which the alternate syntax changes. */
  readonly actions: Readonly<Record<string, XapiAction>>;
  /** Steps of this resource alone before the version is negotiated. */
  readonly first?: readonly Step<XapiCall>[];
  /** The same before the action. */
  readonly more?: readonly Step<XapiCall>[];
  /** Reads the body; up to `webserver.maxBodyBytes` when undefined. */
  readonly body?: Step<XapiCall>;
  /** The methods that `Allow` names when a call has another one; those of the actions when undefined. */
  readonly allowed?: (call: OpenCall) => readonly string[];
}

/** A resource of the xAPI. */
export function xapiHandler(
  open: Open,
  resource: ScopedResource,
  {
    actions,
    first = [],
    more = [],
    body = readBody(),
    allowed = () => Object.keys(actions),
  }: XapiHandlerOptions,
): Handler {
  const timing = serverTiming();
  const again = inOne([authenticateAgain(), identifyOperator(), authorise(resource)]);
  const steps: Step<XapiCall>[] = [
    openLrs(open),
    timing.start,
    requestLog(),
    cacheControl('private, no-cache'),
    cors(),
    versionHeader(),
    checkOrigin(),
    limitAddress(),
    announcedLength(),
    alternateSyntax(),
    ...first,
    negotiateVersion(),
    authenticate(),
    limitKeyPair(),
    identifyOperator(),
    timing.mark,
    authorise(resource),
    requireWritable(),
    authenticatedAfter(body, [again]),
    timing.mark,
    ...more,
    beginWrite(),
    auditTrail(),
    errors(),
  ];
  return handler(steps, async (call) => {
    const action = actions[call.method];
    if (action === undefined)
      throw new MethodNotAllowedError(`${resource} does not answer ${call.method}.`, allowed(call));
    return action(call, () => takeAgain(again, call));
  });
}

interface AdminHandlerOptions {
  /** Steps of one route alone that do not wait for the login. */
  readonly first?: readonly Step<AdminCall>[];
  /** Whether the route changes nothing that is kept, whatever its method. */
  readonly whileReadOnly?: boolean;
  /** Whether a body is not needed for another method than GET either. */
  readonly bodyOptional?: boolean;
  /** Tells the audit trail what the call is about before it is carried out. */
  readonly note?: (call: AdminCall) => void | Promise<void>;
}

/** A route of the administration interface that needs a login, and does or shows something that the audit trail keeps. */
export function adminHandler(
  open: Open,
  action: Action<AdminCall>,
  options: AdminHandlerOptions = {},
): Handler {
  const noted: Step<AdminCall> = { before: ({ event }) => options.note?.(event) };
  return handler<AdminCall>([...accountSteps(open, options), noted, auditTrail(), errors()], action);
}

/** A route of the administration interface that needs a login and shows nothing of what the store holds about people. */
export function adminViewHandler(
  open: Open,
  action: Action<AdminCall>,
  options: AdminHandlerOptions = {},
): Handler {
  return handler<AdminCall>([...accountSteps(open, options), errors()], action);
}

/** A file that a link can download, whose address carries a one-time token in place of a login. */
export function downloadHandler(
  open: Open,
  action: Action<DownloadCall>,
  { reserve, note, begins }: DownloadHandlerOptions,
): Handler {
  const before = [openLrs(open), requestLog(), cors(), checkOrigin(), limitAddress(), announcedLength()];
  const authentication = authenticateDownload();
  const body = [authenticatedAfter(readAdminBody(), [authentication]), jsonBody()];
  const noted: Step<DownloadCall> = { before: ({ event }) => note(event) };
  const trail = [admitted(reserve), noted, auditTrail({ begins }), endRevoked(), errors()];
  return handler<DownloadCall>([...before, authentication, ...body, ...trail], action);
}

/** What is refused for lack of room shows nothing, so the trail needs no entry: a flood of such calls writes nothing. */
const admitted = (reserve: DownloadHandlerOptions['reserve']): Step<DownloadCall> => ({
  before: ({ event }) => {
    event.isEmpty = true;
    reserve(event);
    event.isEmpty = false;
  },
});

interface DownloadHandlerOptions {
  /** Counts the memory of the file, before anything is done for it. @throws UnavailableError */
  readonly reserve: (call: DownloadCall) => void;
  /** Tells the audit trail what the call is about. */
  readonly note: (call: DownloadCall) => void;
  /** Whether the trail has the call before it is carried out, too. */
  readonly begins: (call: AuditedCall) => boolean;
}

function accountSteps(
  open: Open,
  { first = [], whileReadOnly = false, bodyOptional = false }: AdminHandlerOptions,
): Step<AdminCall>[] {
  const timing = serverTiming();
  const [writable, begin] = whileReadOnly ? [[], []] : [[requireWritable()], [beginWrite()]];
  const authentication = authenticateAccount();
  const read = authenticatedAfter(readAdminBody(), [authentication]);
  const body = [read, jsonBody({ optional: bodyOptional }), timing.mark];
  const outer = [
    openLrs(open),
    timing.start,
    requestLog(),
    cors(),
    checkOrigin(),
    limitAddress(),
    announcedLength(),
  ];
  return [...outer, ...first, authentication, timing.mark, ...writable, ...body, ...begin];
}

/** A route of the administration interface whose body is looked at although nobody has logged in. */
export function loginHandler(
  open: Open,
  action: Action<AdminCall>,
  { first = [] }: { readonly first?: readonly Step<AdminCall>[] } = {},
): Handler {
  const limited = [checkOrigin(), limitAddress()];
  const outer: readonly Step<AdminCall>[] = [openLrs(open), requestLog(), cors(), ...limited];
  const body = [readUnauthenticatedBody(), jsonBody()];
  const steps = [...outer, announcedLength(), ...first, ...body, auditTrail(), errors()];
  return handler<AdminCall>(steps, action);
}

interface OpenHandlerOptions {
  /** One that always belongs to the xAPI passes `latestVersionHeader()`. */
  readonly version?: Step<OpenCall>;
  /** Whether the action looks at the body. */
  readonly readsBody?: boolean;
  /** Whether every store is answered alike, without opening it. */
  readonly forAllStores?: boolean;
  /** Steps of this route alone. */
  readonly more?: readonly Step<OpenCall>[];
}

/** A route that anybody may call. Its answer needs the database if what is opened does. */
export function openHandler<Opened extends ConfiguredLrs>(
  open: () => Opened | Promise<Opened>,
  action: Action<OpenCall & { lrs: Opened }>,
  {
    version = versionHeaderUnderPrefix(),
    readsBody = false,
    forAllStores = false,
    more = [],
  }: OpenHandlerOptions = {},
): Handler {
  const opening = forAllStores ? openForAllStores(open) : openLrs(open);
  const before = [opening, requestLog(), cors(), version, checkOrigin(), announcedLength()];
  return handler<OpenCall & { lrs: Opened }>(
    [...before, ...(readsBody ? [readUnauthenticatedBody()] : []), ...more, errors()],
    action,
  );
}

/** A file of the screen, which is the same for everybody. What it says of itself does not depend on the origin of a page. */
export function screenHandler<Opened extends ConfiguredLrs>(
  open: () => Opened | Promise<Opened>,
  action: Action<OpenCall & { lrs: Opened }>,
  first: readonly Step<OpenCall>[],
): Handler {
  return handler<OpenCall & { lrs: Opened }>(
    [openLrs(open), requestLog(), announcedLength(), ...first, errors()],
    action,
  );
}

/**
 * Nobody keeps a response unless its route says so.
 * `timeoutEarlyInMillis: 0`: Middy 6 would end the requests of everybody together with one that is late.
 */
function handler<C extends OpenCall>(steps: readonly Step<C>[], action: Action<C>): Handler {
  // It takes the gateway's event and gives its result.
  const outermost = gateway() as unknown as Step<C>;
  const chain = middy({ timeoutEarlyInMillis: 0 })
    .use(inOne([outermost, cacheControl('no-store'), securityHeaders(), ...steps]))
    .handler(action);
  // The types of Middy know only the innermost event and response.
  return chain as unknown as Handler;
}
