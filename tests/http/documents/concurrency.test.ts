import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentSender, etagOf, resourcesAndVersions } from '../../support/document-resources.ts';
import { type Entrance, serverEntrance } from '../../support/entrance.ts';
import { connect, type LrsClient, parsed } from '../../support/lrs-client.ts';

let entrance: Entrance;
let client: LrsClient;

beforeAll(async () => {
  entrance = await serverEntrance('http');
  client = await connect(entrance);
});
afterAll(() => entrance?.close());

const json = { 'content-type': 'application/json' };
const clients = Array.from({ length: 50 }, (_, index) => index);

describe.each(resourcesAndVersions)(
  '50 clients at once, $kind in $version',
  ({ kind, id, newOwner, version }) => {
    const prepared = () => {
      const query = { ...newOwner(), [id]: 'shared' };
      const send = documentSender(client, kind, version);
      const stored = async () => (await send('GET', { query })).body.toString();
      return { query, send, stored };
    };

    it('merges lose no property', async () => {
      const { query, send, stored } = prepared();
      const answers = await Promise.all(
        clients.map((client) => send('POST', { query, headers: json, body: `{"key${client}":${client}}` })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
      expect(JSON.parse(await stored())).toEqual(
        Object.fromEntries(clients.map((client) => [`key${client}`, client])),
      );
    });

    it.each([
      ['create', undefined],
      ['replace', '{"first":true}'],
    ])('of all that %s the same document, one wins and the others are told so', async (_, first) => {
      const { query, send, stored } = prepared();
      if (first !== undefined) await send('POST', { query, headers: json, body: first });
      const condition = first === undefined ? { 'if-none-match': '*' } : { 'if-match': etagOf(first) };
      const answers = await Promise.all(
        clients.map((client) =>
          send('PUT', { query, headers: { ...json, ...condition }, body: `{"winner":${client}}` }),
        ),
      );
      const winner = answers.findIndex(({ status }) => status === 204);
      const expected = clients.map((client) => (client === winner ? 204 : 412));
      expect(answers.map(({ status }) => status)).toEqual(expected);
      expect(await stored()).toBe(`{"winner":${winner}}`);
    });

    it('one request that is refused hinders no other', async () => {
      const { query, send } = prepared();
      const { [id]: _, ...owner } = query;
      const answers = await Promise.all(
        clients.map((client) =>
          send('PUT', {
            query: { ...owner, [id]: `document ${client}` },
            headers: { ...json, ...(client % 2 === 0 ? { 'if-none-match': '*' } : { 'if-match': '"x"' }) },
            body: '{}',
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(
        clients.map((client) => (client % 2 === 0 ? 204 : 412)),
      );
      expect(parsed(await send('GET', { query: owner }))).toHaveLength(25);
    });
  },
);
