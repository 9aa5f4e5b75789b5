import type { MiddlewareObj } from '@middy/core';
import type { AdminAccount, LoginToken } from '../accounts/types.ts';
import type { AuditCounts } from '../audit/types.ts';
import type { Principal } from '../credentials/types.ts';
import type { JsonObject } from '../json/types.ts';
import type { ConfiguredLrs, Lrs } from '../lrs.ts';
import type { StoreUse } from '../stores/types.ts';
import type { XapiVersion } from '../xapi/types.ts';
import type { HttpRequest, HttpResponse } from './types.ts';

/** A request on its way through the steps of a handler, which complete it; its answer may need no database. */
export interface OpenCall extends HttpRequest {
  lrs: ConfiguredLrs;
  /** The store beside the default one that the call works in, which is left when it is answered. */
  use?: Pick<StoreUse<unknown>, 'beginWrite' | 'leave' | 'suspect'>;
  /**
   * Waits for what takes as long as the client likes, without keeping its store open meanwhile; the call enters the store anew
   * then. Undefined in the default store, which is always open.
   */
  outsideStore?: <T>(work: Promise<T>) => Promise<T>;
}

/** A request whose answer needs the database. */
export interface Call extends OpenCall {
  lrs: Lrs;
}

/** A call that the audit trail may keep, with what its steps and its action tell the trail. */
export interface AuditedCall extends Call {
  /** Who makes it; undefined while nobody is known. */
  account?: AdminAccount | undefined;
  /** The name that a login tries. */
  triedName?: string;
  /** What distinguishes it from other calls of its method and path, e.g. `dry run`. */
  variant?: string;
  /** What it is about, e.g. the id of a statement. */
  subject?: string;
  /** The identifier of the Agent whom it is about. */
  agent?: string;
  /** The API key that it carries. */
  keyPair?: string;
  /** The parameters that say what is asked for. */
  filters?: Readonly<Record<string, string>>;
  /** How much was shown or changed; asked when the call has ended. */
  counts?: () => AuditCounts;
  /** Whether equal calls share an entry. */
  merges?: boolean;
  /** The id of the entry that was written before the call is carried out. */
  entryId?: string;
  /** Whether the answer shows nothing of what was asked for. */
  isEmpty?: boolean;
}

/** A call of the xAPI: its version is negotiated and its bearer is known and permitted. */
export interface XapiCall extends AuditedCall {
  version: XapiVersion;
  principal: Principal;
  /** The key pair of an account that the call names by its id, in place of the pair itself. */
  credentialId?: string;
}

/** A call of the administration interface. */
export interface AdminCall extends AuditedCall {
  account: AdminAccount;
  /** The token that the call carries, when this LRS has issued it. */
  token: LoginToken | undefined;
  /** The parsed body; undefined when there is none, which only GET permits. */
  json: JsonObject | undefined;
}

/** A call that downloads a file. */
export interface DownloadCall extends AdminCall {
  /** What the call came with, a login token or a one-time token, when this LRS has issued it. */
  presented: Pick<LoginToken, 'generation' | 'id'> | undefined;
  /** Uses up the one-time token that the call carries, if it does. @throws UnauthenticatedError when that has been done. */
  redeem(): Promise<void>;
}

/** A named step of a handler: a Middy middleware over calls of some kind. */
export type Step<C extends HttpRequest> = MiddlewareObj<C, HttpResponse>;

/** What a handler does once its steps have let the call through. */
export type Action<C extends HttpRequest> = (call: C) => Promise<HttpResponse>;
