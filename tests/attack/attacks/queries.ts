import { setTimeout as sleep } from 'node:timers/promises';
import { dial, write } from '../raw.ts';
import { list, numberedUuid, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

/** Statements for searches that have to look at many. */
async function storeMany({ client, amount, parallel }: Context): Promise<void> {
  await parallel(amount(60), 2, (batch) =>
    client.post(
      `[${list(500, (index) =>
        statementText({
          actor: `{"mbox":"mailto:a${index}@x.org"}`,
          verb: `{"id":"http://x.org/v${batch % 7}"}`,
          object: `{"id":"http://x.org/a${index % 50}"}`,
          context: `{"registration":"${numberedUuid(batch, 600)}","contextActivities":{"parent":[{"id":"http://x.org/p${index % 3}"}]}}`,
        }),
      )}]`,
    ),
  );
}

function ask(context: Context, queries: readonly string[], count: number): Promise<void> {
  return context.parallel(context.amount(count), 4, (index) =>
    context.client.send({ path: `/xapi/statements?${queries[index % queries.length]}` }),
  );
}

const agent = encodeURIComponent('{"mbox":"mailto:a1@x.org"}');
const verb = (index: number): string => encodeURIComponent(`http://x.org/v${index}`);
const activity = (index: number): string => encodeURIComponent(`http://x.org/a${index}`);

/** Filters that are each frequent and together rare or empty. */
const searches = [
  `agent=${agent}&verb=${verb(1)}&activity=${activity(2)}`,
  `agent=${agent}&verb=${verb(1)}&activity=${activity(1)}&related_agents=true&related_activities=true`,
  `verb=${verb(1)}&activity=${encodeURIComponent('http://x.org/p1')}&related_activities=true&ascending=true`,
  `verb=${verb(2)}&activity=${activity(49)}&registration=${numberedUuid(3, 600)}`,
  `verb=${verb(2)}&since=2000-01-01T00:00:00Z&until=2000-01-02T00:00:00Z`,
  'since=2999-01-01T00:00:00Z',
  'until=1970-01-01T00:00:00Z',
  'limit=0&ascending=true',
  'limit=999999999999999999999',
];

const largeAgents = [
  `{"objectType":"Group","member":[${list(1_000, (index) => `{"mbox":"mailto:m${index}@x.org"}`)}]}`,
  `{"account":{"homePage":"http://x.org/${'a'.repeat(20_000)}","name":"b"}}`,
  `{"objectType":"Group","mbox":"mailto:g@x.org","member":[${list(900, (index) => `{"mbox":"mailto:m${index}@x.org"}`)}]}`,
  `{"mbox":"mailto:${'a.'.repeat(10_000)}@x.org"}`,
  `{"openid":"http://x.org/${'%41'.repeat(5_000)}"}`,
  `{"name":"${'\\u0041'.repeat(3_000)}","mbox":"mailto:a@x.org"}`,
];

const strangeQueries = [
  'a='.repeat(20_000),
  '&'.repeat(60_000),
  '%41'.repeat(20_000),
  `verb=${'%2541'.repeat(10_000)}`,
  `from=${'9'.repeat(16)}`,
  'from=-1',
  `from=${'9'.repeat(50_000)}`,
  `limit=${'9'.repeat(50_000)}`,
  `limit=5&from=1${'&since=2020-01-01T00:00:00Z'.repeat(10)}`,
  `since=2020-01-01T00:00:00.${'0'.repeat(50_000)}Z`,
  `since=${'2020-'.repeat(10_000)}`,
  `statementId=${numberedUuid(1)}&voidedStatementId=${numberedUuid(1)}`,
  `registration=${'0'.repeat(50_000)}`,
  `verb=http://x.org/${'a'.repeat(59_000)}`,
  `agent=${'%5B'.repeat(19_000)}`,
  `agent=%7B${'%22a%22:1,'.repeat(5_000)}%22b%22:1%7D`,
];

async function pages(context: Context): Promise<void> {
  await context.parallel(context.amount(20), 4, async () => {
    let path = '/xapi/statements?limit=50&attachments=false&format=canonical';
    for (let page = 0; page < 15; page += 1) {
      const { body } = await context.client.send({ path });
      const more = /"more":"([^"]+)"/.exec(body.toString('latin1').slice(-2_000))?.[1];
      if (more === undefined) return;
      path = more;
    }
  });
}

/** Each of a page of 4 MB, given up before it is read. */
async function abandonedPages(context: Context): Promise<void> {
  const head = `HTTP/1.1\r\nHost: a\r\nAuthorization: ${context.client.authorization}\r\nX-Experience-API-Version: 1.0.3\r\n\r\n`;
  await context.parallel(context.amount(2_400), 4, async (index) => {
    const connection = await dial({ origin: context.http });
    await write(connection, `GET /xapi/statements?limit=50&attachments=${index % 2 === 0} ${head}`);
    await sleep(3);
    connection.stream.destroy();
    context.tally.count('given up');
  });
}

export const queryAttacks: readonly Attack[] = [
  {
    name: 'abandoned-pages',
    area: 'queries',
    threat: 'requests of pages of 4 MB, each given up after 3 ms, over four connections at a time',
    prepare: async ({ client, amount, parallel }) => {
      const text = statementText({ result: `{"response":"${'é'.repeat(40_000)}"}` });
      await parallel(amount(10), 2, () => client.post(`[${list(10, () => text)}]`));
    },
    run: abandonedPages,
  },
  {
    name: 'rare-results',
    area: 'queries',
    threat: 'searches in 30,000 statements by filters that are frequent alone and rare together',
    prepare: storeMany,
    run: (context) => ask(context, searches, 400),
  },
  {
    name: 'large-agent-filters',
    area: 'queries',
    threat: 'filters by Groups of 1,000 members and Agents of 60 kB',
    prepare: storeMany,
    run: (context) =>
      ask(
        context,
        largeAgents.flatMap((text) => [
          `agent=${encodeURIComponent(text)}`,
          `related_agents=true&agent=${encodeURIComponent(text)}`,
        ]),
        240,
      ),
  },
  {
    name: 'strange-queries',
    area: 'queries',
    threat: 'queries of 60 kB: repeated parameters, percent-encoding, forged cursors, long numbers and times',
    run: (context) => ask(context, strangeQueries, 800),
  },
  {
    name: 'many-pages',
    area: 'queries',
    threat: 'four clients follow `more` through large pages in the canonical format',
    prepare: storeMany,
    run: pages,
  },
  {
    name: 'pages-of-large-statements',
    area: 'queries',
    threat: 'pages of statements of 250 kB, as they are, canonical and as ids, by 16 clients',
    prepare: async ({ client, amount, parallel }) => {
      const extensions = list(8_000, (index) => `"http://x.org/${index}":[1,2,{"a":"b"}]`);
      const text = statementText({
        verb: '{"id":"http://x.org/large"}',
        object: `{"id":"http://x.org/a","definition":{"extensions":{${extensions}}}}`,
      });
      await parallel(amount(40), 2, () => client.post(text));
    },
    run: (context) =>
      ask(
        context,
        ['exact', 'canonical', 'ids'].map(
          (format) => `format=${format}&limit=50&verb=${encodeURIComponent('http://x.org/large')}`,
        ),
        96,
      ),
  },
  {
    name: 'resources-of-agents-and-activities',
    area: 'queries',
    threat: 'Person and Activity objects of what many statements describe differently',
    prepare: async ({ client, amount, parallel }) => {
      await parallel(amount(20), 2, (batch) =>
        client.post(
          `[${list(500, (index) =>
            statementText({
              actor: `{"mbox":"mailto:many@x.org","name":"name ${batch} ${index}"}`,
              object: `{"id":"http://x.org/many","definition":{"name":{"x-${batch}-${index}":"a"},"extensions":{"http://x.org/${batch}/${index}":1}}}`,
            }),
          )}]`,
        ),
      );
    },
    run: (context) =>
      context.parallel(context.amount(200), 4, (index) =>
        context.client.send({
          path:
            index % 2 === 0
              ? `/xapi/agents?agent=${encodeURIComponent('{"mbox":"mailto:many@x.org"}')}`
              : `/xapi/activities?activityId=${encodeURIComponent('http://x.org/many')}`,
        }),
      ),
  },
];
