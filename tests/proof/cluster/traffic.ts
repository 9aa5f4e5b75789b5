import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterClient } from './client.ts';

export interface StoredStatement {
  readonly id: string;
  readonly stored: string;
}

const statementsPath = '/xapi/statements';
const profilePath = `/xapi/activities/profile?${new URLSearchParams({ activityId: 'https://proof.example.org/place' })}`;

/** The ids of each acknowledged request of one writer, in the order of sending. */
export type Acknowledged = string[][];

/** Stores batches one after the other until the signal. */
export async function write(
  client: ClusterClient,
  acknowledged: Acknowledged,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ids = Array.from({ length: 1 + (acknowledged.length % 4) }, () => randomUUID());
    const body = JSON.stringify(ids.map((id) => statementOf(id)));
    const { status, body: answer } = await client.send(statementsPath, { method: 'POST', body });
    if (status !== 200) throw new Error(`Statements were refused: ${status} ${answer}`);
    acknowledged.push(ids);
  }
}

const statementOf = (id: string) => ({
  id,
  actor: { mbox: `mailto:${id.slice(0, 2)}@example.org` },
  verb: { id: 'https://proof.example.org/did' },
  object: { id: `https://proof.example.org/activities/${id.slice(0, 1)}` },
});

/** Who was told to have created a document first. */
export type Winners = Map<string, string[]>;

/** Several at once create the same documents, each unless it exists, until the signal. */
export async function contend(
  contenders: readonly ClusterClient[],
  winners: Winners,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    const document = `${profilePath}&profileId=${round}`;
    const won: string[] = [];
    winners.set(document, won);
    await Promise.all(
      contenders.map(async (contender, place) => {
        const body = JSON.stringify({ winner: String(place) });
        const { status } = await contender.send(document, { method: 'PUT', body }, { 'if-none-match': '*' });
        if (status === 204) won.push(body);
      }),
    );
    await sleep(20);
  }
}

/** After each time that servers name. */
const after = '~';

/** What an incremental reader has seen: how often each id. */
export type Seen = Map<string, number>;

/** Reads, again and again, what is between two watermarks. @param end the time to stop at, once it is known. */
export async function follow(
  client: ClusterClient,
  seen: Seen,
  end: () => string | undefined,
): Promise<void> {
  let since = '';
  while (since < (end() ?? after)) {
    const { consistentThrough: until } = await client.send(`${statementsPath}?limit=1`);
    if (until > since)
      for await (const { id } of walk(client, since, until)) seen.set(id, (seen.get(id) ?? 0) + 1);
    since = until > since ? until : since;
    await sleep(30);
  }
}

/** All statements that were stored after one time and up to another, in that order. */
export async function* walk(client: ClusterClient, since = '', until = ''): AsyncGenerator<StoredStatement> {
  const range = { ...(since !== '' && { since }), ...(until !== '' && { until }) };
  const first = new URLSearchParams({ ascending: 'true', limit: '200', ...range });
  for (let path = `${statementsPath}?${first}`; path !== ''; ) {
    const { statements, more } = JSON.parse((await client.send(path)).body);
    yield* statements;
    path = more ?? '';
  }
}

/** The documents of which more than one was told to be the first, or another one than is stored. */
export async function contradictions(client: ClusterClient, winners: Winners): Promise<string[]> {
  const found: string[] = [];
  for (const [document, won] of winners) {
    const { body } = await client.send(document);
    if (won.length > 1 || won.some((each) => each !== body))
      found.push(`${document}: ${won.join()} and ${body}`);
  }
  return found;
}
