import type { MiddlewareObj } from '@middy/core';
import type { AdminAccount, LoginToken } from '../accounts/types.ts';
import type { Principal } from '../credentials/types.ts';
import type { Lrs } from '../lrs.ts';
import type { JsonObject, XapiVersion } from '../xapi/types.ts';
import type { HttpRequest, HttpResponse } from './types.ts';

/** A request on its way through the steps of a door, which complete it. */
export interface Call extends HttpRequest {
  lrs: Lrs;
}

/** A call of the xAPI: its version is negotiated and its bearer is known and permitted. */
export interface XapiCall extends Call {
  version: XapiVersion;
  principal: Principal;
}

/** A call of the administration interface. */
export interface AdminCall extends Call {
  account: AdminAccount;
  /** For the audit trail: what the call is about, and the name that a login tries. */
  subject?: string;
  triedName?: string;
  /** For the audit trail: whether the call only asks what it would do. */
  dryRun?: boolean;
  /** The token that the call carries, when this LRS has issued it. */
  token: LoginToken | undefined;
  /** The parsed body; undefined when there is none, which only GET permits. */
  json: JsonObject | undefined;
}

/** A call that downloads a file. */
export interface DownloadCall extends AdminCall {
  /** Uses up the one-time token that the call carries, if it does. @throws UnauthenticatedError when that has been done. */
  redeem(): Promise<void>;
}

/** A named step of a door: a Middy middleware over calls of some kind. */
export type Step<C extends HttpRequest> = MiddlewareObj<C, HttpResponse>;

/** What a door does once its steps have let the call through. */
export type Action<C extends HttpRequest> = (call: C) => Promise<HttpResponse>;
