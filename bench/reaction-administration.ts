import type { Rule } from './reaction-rules.ts';

/** What a benchmark does as an operator. */
export interface Administration {
  /** @returns the id of the reaction. */
  create(rule: Rule): Promise<string>;
  /** Resolves when every consumer has gone through all that is stored. */
  caughtUp(): Promise<void>;
  /** Has a reaction go through all that is stored, and resolves when it has. @returns how many statements it has generated. */
  replay(reactionId: string): Promise<number>;
}

interface Details {
  readonly fired: number;
  readonly replay?: { readonly state: string; readonly error: string | null };
}

interface Status {
  readonly consumers: readonly { readonly lag: { readonly statements: number } }[];
}

const pollMilliseconds = 20;

/** Logs in as the first account of `startBuiltServer`. */
export async function administer(url: string): Promise<Administration> {
  let token = '';
  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${url}/admin${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<Answer>;
  };
  const login = { username: 'opsadmin', password: 'Tr1cky_pass!' };
  token = (await call<{ 'json-web-token': string }>('POST', '/account/login', login))['json-web-token'];
  return {
    create: async (rule) => (await call<{ reactionId: string }>('POST', '/reaction', rule)).reactionId,
    caughtUp: () =>
      until(async () => {
        const { consumers } = await call<Status>('GET', '/status?include=consumers');
        return consumers.every(({ lag }) => lag.statements === 0);
      }),
    replay: async (reactionId) => {
      await call('POST', '/reaction/replay', { reactionId, from: '2020-01-01T00:00:00Z' });
      let fired = 0;
      await until(async () => {
        const details = await call<Details>('GET', `/reaction/${reactionId}`);
        if (details.replay?.state === 'failed') throw new Error(`The replay failed: ${details.replay.error}`);
        fired = details.fired;
        return details.replay?.state === 'done';
      });
      return fired;
    },
  };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
}
