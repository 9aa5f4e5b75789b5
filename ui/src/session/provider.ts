import { ErrorResponse, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { Environment } from '../api/environment.ts';
import { providerPrefix, session } from '../api/session.ts';

type ProviderSettings = NonNullable<Environment['oidc']>;

/** What a sign-in or a renewal at the OpenID provider gives. */
export interface ProviderSession {
  readonly token: string;
  readonly canRenew: boolean;
}

/** Where the provider sends people back to: the page, wherever it is served. */
const home = window.location.origin + window.location.pathname;

const managers = new WeakMap<ProviderSettings, UserManager>();

function managerOf(settings: ProviderSettings): UserManager {
  const known = managers.get(settings);
  if (known !== undefined) return known;
  const manager = new UserManager({
    authority: '',
    client_id: '',
    ...settings,
    response_type: 'code',
    redirect_uri: home,
    post_logout_redirect_uri: home,
    // The keeper of the session renews, and a frame of the provider is not permitted here.
    automaticSilentRenew: false,
    monitorSession: false,
    userStore: new WebStorageStateStore({ prefix: providerPrefix, store: localStorage }),
    stateStore: new WebStorageStateStore({ prefix: providerPrefix, store: sessionStorage }),
  });
  managers.set(settings, manager);
  return manager;
}

/**
 * Goes to the provider by the authorization code flow with PKCE. `address` is the screen to come back to; `anew` lets people
 * sign in as somebody else than the provider already knows.
 */
export async function goToProvider(
  settings: ProviderSettings,
  { address, anew }: { readonly address: string; readonly anew: boolean },
): Promise<void> {
  await managerOf(settings).signinRedirect({ state: { address }, ...(anew && { prompt: 'login' }) });
}

/**
 * Takes the provider's answer, which is in the query of the address with which it has sent the browser back.
 * @param goTo told the screen's address from which it was sent, also when the answer is a refusal.
 * @throws ErrorResponse with the provider's refusal.
 */
export async function returnFromProvider(
  settings: ProviderSettings,
  answer: string,
  goTo: (address: string) => void,
): Promise<ProviderSession> {
  try {
    const user = await managerOf(settings).signinRedirectCallback(answer);
    goTo(addressIn(user.state));
    return sessionOf(user);
  } catch (error) {
    if (error instanceof ErrorResponse) goTo(addressIn(error.state));
    throw error;
  }
}

/** @returns undefined when the provider refuses, or has given nothing to renew with. */
export async function renewAtProvider(settings: ProviderSettings): Promise<ProviderSession | undefined> {
  const manager = managerOf(settings);
  if ((await manager.getUser())?.refresh_token === undefined) return undefined;
  try {
    const user = await manager.signinSilent();
    return user === null ? undefined : sessionOf(user);
  } catch (error) {
    if (error instanceof ErrorResponse && !passing.includes(error.error ?? '')) return undefined;
    throw error;
  }
}

/** Answers that may be others in a moment (RFC 6749 4.1.2.1). */
const passing = ['temporarily_unavailable', 'server_error'];

/** Ends the session here and, if it lets people sign out, at the provider. */
export async function leaveProvider(settings: ProviderSettings): Promise<void> {
  const manager = managerOf(settings);
  const user = await manager.getUser();
  session.end('signed-out');
  if ((await manager.metadataService.getEndSessionEndpoint()) === undefined) return;
  await manager.signoutRedirect(user?.id_token === undefined ? {} : { id_token_hint: user.id_token });
}

function sessionOf({ access_token, refresh_token }: User): ProviderSession {
  return { token: access_token, canRenew: refresh_token !== undefined };
}

function addressIn(state: unknown): string {
  const address =
    typeof state === 'object' && state !== null && 'address' in state ? state.address : undefined;
  return typeof address === 'string' ? address : '/';
}
