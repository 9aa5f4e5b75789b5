import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../limits.ts';
import { login } from '../login.ts';
import { dial, loopbackAddress, type RawConnection } from '../raw.ts';
import { list, objectOf, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';
import { administer, storeSome } from './administrator.ts';

async function manyColumns(context: Context): Promise<void> {
  const steps = list(8_000, (index) => `["object","definition","${index}"]`).slice(0, 40_000);
  const paths = [
    `[${steps.slice(0, steps.lastIndexOf('],') + 1)}]`,
    `[[${list(9_000, () => '"a"')}]]`,
    `[[${list(9_000, () => '0')}]]`,
    '[["id"],["object"],["object","definition"],["actor"]]',
    `[${'['.repeat(20_000)}`,
    '[["__proto__"],["constructor","prototype"]]',
  ];
  await administer(
    context,
    paths.map((text) => ({ path: `/admin/csv?limit=5000&property-paths=${encodeURIComponent(text)}` })),
    18,
  );
}

/** As large as a statement may be, by one long text or by as many values as are permitted. */
function storeLarge({ client, amount, parallel }: Context): Promise<void> {
  const long = `{"response":"${'r'.repeat(limits.stmtMaxBytes - 1_000)}"}`;
  const many = objectOf(
    5,
    (outer) =>
      `"http://x.org/${outer}":${objectOf(4_500, (inner) => `"${inner}${'k'.repeat(150)}":${inner}.10`)}`,
  );
  const results = [long, `{"extensions":${many}}`];
  return parallel(amount(20), 2, (index) =>
    client.post(statementText({ result: results[index % 2] ?? long })),
  );
}

/** The verb of the statements below, because honest clients store newer ones. */
const quoting = 'http://x.org/quoting';

/** As long as a statement may be, of characters that JSON and CSV both escape. */
function storeQuotes({ client, amount, parallel }: Context): Promise<void> {
  const quotes = '\\"'.repeat(Math.floor((limits.stmtMaxBytes - 1_000) / 2));
  const text = statementText({ verb: `{"id":"${quoting}"}`, result: `{"response":"${quotes}"}` });
  return parallel(amount(10), 2, () => client.post(text));
}

const columns = (count: number, path: string): string => encodeURIComponent(`[${list(count, () => path)}]`);

/** Of each export, how many bytes the client takes before it leaves. */
const taken = 60_000_000;

/** Asks for what would be gigabytes, reads some of it and leaves. */
async function takeSome(context: Context, path: string): Promise<void> {
  const authorization = await login(context);
  const { stream } = await dial({ origin: context.http });
  stream.write(
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
  );
  let bytes = 0;
  let status = '';
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) break;
    if (bytes === 0) status = chunk.toString('latin1', 9, 12);
    bytes += chunk.length;
    if (bytes > taken) break;
  }
  stream.destroy();
  context.tally.count(status === '' ? 'reset' : status);
}

/** Asks for exports on connections of their own, reads nothing of them and resets them. */
async function takeNothing(context: Context): Promise<void> {
  const authorization = await login(context);
  const held: RawConnection[] = [];
  await context.parallel(context.amount(300), 50, async (index) => {
    const connection = await dial({ origin: context.http, from: loopbackAddress(index) });
    connection.stream.pause();
    connection.stream.write(`GET /admin/csv HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n\r\n`);
    held.push(connection);
  });
  await sleep(context.amount(8) * 1_000);
  for (const { reset } of held) reset();
  context.tally.count('not read', held.length);
}

const wide = [
  columns(1_000, '["result"]'),
  columns(3, '["result"]'),
  columns(500, '["result","extensions"]'),
  columns(1, '["result","response"]'),
];

const quoted = [columns(1, '["result"]'), columns(20, '["result"]')];

/** Attacks on the export as CSV by somebody who has an account. */
export const exportAttacks: readonly Attack[] = [
  {
    name: 'exports',
    area: 'administration',
    threat: 'CSV exports of 5,000 rows with thousands of columns, four at a time',
    prepare: storeSome,
    run: manyColumns,
  },
  {
    name: 'unread-exports',
    area: 'administration',
    threat: '300 clients ask for a CSV export of 20,000 rows and read nothing',
    prepare: storeSome,
    run: takeNothing,
  },
  {
    name: 'wide-exports',
    area: 'administration',
    threat: 'exports of statements of 4 MB with up to 1,000 columns that each hold all of it',
    prepare: storeLarge,
    run: (context) =>
      context.parallel(context.amount(16), 4, (index) =>
        takeSome(context, `/admin/csv?property-paths=${wide[index % wide.length]}`),
      ),
  },
  {
    name: 'wide-previews',
    area: 'administration',
    threat: 'previews of the same, by login and with filters',
    prepare: storeLarge,
    run: (context) =>
      administer(
        context,
        [...wide.map((paths) => `&property-paths=${paths}`), '', '&format=canonical&ascending=true'].map(
          (rest) => ({ path: `/admin/csv?preview=true${rest}` }),
        ),
        24,
      ),
  },
  {
    name: 'exported-quotes',
    area: 'administration',
    threat: 'previews and exports of a text of 2,000,000 quotes, in up to 20 columns, two at a time',
    prepare: storeQuotes,
    run: (context) => {
      const kinds = ['preview=true&limit=1', ...quoted.map((paths) => `limit=1&property-paths=${paths}`)];
      return context.parallel(context.amount(16), 2, (index) =>
        takeSome(context, `/admin/csv?verb=${encodeURIComponent(quoting)}&${kinds[index % kinds.length]}`),
      );
    },
  },
];
