import type { Environment } from '../api/environment.ts';
import { serverNow, session } from '../api/session.ts';
import { claimsOf } from '../api/token.ts';
import { lastActivity, watchActivity } from './activity.ts';
import { type Plan, planOf, type SessionTimes } from './plan.ts';
import { renewSession } from './renewal.ts';

/** Clocks jump and machines sleep, so the next look is never far away; milliseconds. */
const longestWait = 60_000;
const pauseAfterFailure = 15_000;

interface Kept {
  readonly token: string;
  readonly environment: Environment;
  /** Told once, when the operator has to know that the session ends. */
  readonly warn: () => void;
}

/** Renews the session of a token while the operator is active, warns of its end, and ends it. */
export class SessionKeeper {
  readonly #kept: Kept;
  #stopWatching: (() => void) | undefined;
  #timer: number | undefined;
  #isWarned = false;
  #isRenewing = false;
  #pausedUntil = 0;

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  /** @returns what stops it. */
  start(): () => void {
    this.#stopWatching = watchActivity(this.#look);
    document.addEventListener('visibilitychange', this.#look);
    this.#look();
    return () => {
      window.clearTimeout(this.#timer);
      this.#stopWatching?.();
      document.removeEventListener('visibilitychange', this.#look);
    };
  }

  readonly #look = (): void => {
    window.clearTimeout(this.#timer);
    const times = timesOf(this.#kept);
    if (times === undefined || this.#isRenewing) return;
    const now = serverNow();
    const lastActive = now - Date.now() + lastActivity();
    const situation = { now, lastActive, isWarned: this.#isWarned, pausedUntil: this.#pausedUntil };
    const plan = planOf(times, situation);
    const again = plan.step === 'wait' ? plan.until : times.ends;
    this.#timer = window.setTimeout(this.#look, Math.min(again - now, longestWait));
    this.#follow(plan.step);
  };

  #follow(step: Plan['step']): void {
    if (step === 'end') session.end('expired');
    if (step === 'renew') void this.#renew();
    if (step !== 'warn' || this.#isWarned) return;
    this.#isWarned = true;
    this.#kept.warn();
  }

  /** A failure changes nothing but that it is tried again later; a refusal has ended the session already. */
  async #renew(): Promise<void> {
    const { token, environment } = this.#kept;
    this.#isRenewing = true;
    await renewSession(token, environment).catch(() => undefined);
    this.#isRenewing = false;
    this.#pausedUntil = serverNow() + pauseAfterFailure;
    if (session.token() === token) this.#look();
  }
}

/** undefined for a token that says nothing of its end; the server tells when it no longer counts. */
function timesOf({ token, environment }: Kept): SessionTimes | undefined {
  const { exp, iat = exp } = claimsOf(token);
  if (exp === undefined || iat === undefined) return undefined;
  return {
    issued: iat * 1000,
    ends: exp * 1000,
    canRenew: session.facts().canRenew,
    interval: environment['jwt-refresh-interval'] * 1000,
    window: environment['jwt-interaction-window'] * 1000,
  };
}
