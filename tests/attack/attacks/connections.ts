import { setTimeout as sleep } from 'node:timers/promises';
import { dial, endings, leave, loopbackAddress, type RawConnection, receiveAll } from '../raw.ts';
import type { Attack, Context } from '../types.ts';

/** Everything that a connection may have sent when it ends. */
const states: readonly string[] = [
  '',
  'C',
  'CONNECT a:1 HTTP/1.1\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf',
  'GET',
  'GET /xapi/about',
  'GET /xapi/about HTTP/1.1\r\n',
  'GET /xapi/about HTTP/1.1\r\nHost: a',
  'GET /xapi/about HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /xapi/about HTTP/1.0\r\n\r\n',
  'GET /xapi/about\r\n\r\n',
  'GET /xapi/about HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'GET /xapi/about HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  'TRACE / HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /xapi/statements HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"half',
  'POST /xapi/statements HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal',
  'POST /xapi/statements HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  'POST /xapi/statements HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTrailer: x',
  'POST /xapi/statements HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /xapi/statements HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n',
  'POST /xapi/statements HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nContent-Length: 10\r\n\r\n',
  'GET /xapi/about HTTP/1.1\r\nHost: a\r\n\r\nGET /xapi/about HTTP/1.1\r\nHost: a\r\n\r\nCONNECT a:1 HTTP/1.1\r\n\r\n',
  'GET /xapi/about HTTP/1.1\r\nHost: a\r\n\r\n\0\0\0\0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\x80\x2e\x01\x00\x02',
  '\r\n\r\n\r\n',
  '\0\xff\xfe',
];

/** A connection that can't be had, because the server has no room or no patience left, is an outcome like any other. */
async function open(
  context: Context,
  dialled: Parameters<typeof dial>[0],
): Promise<RawConnection | undefined> {
  try {
    return await dial(dialled);
  } catch {
    context.tally.count('refused');
    return undefined;
  }
}

async function everyState(context: Context): Promise<void> {
  await context.parallel(context.amount(10_000), 100, async (index) => {
    const origin = index % 4 === 3 ? context.https : context.http;
    const connection = await open(context, { origin, from: loopbackAddress(index) });
    if (connection === undefined) return;
    const state = states[Math.floor(index / 4) % states.length] ?? '';
    const ending = endings[Math.floor(index / (4 * states.length)) % endings.length] ?? 'reset';
    connection.stream.write(Buffer.from(state, 'latin1'));
    if (index % 2 === 0) await sleep(2);
    await leave(connection, ending, 1_000);
    context.tally.count(ending);
  });
}

/** Holds as many connections as it gets, each of which has sent so much, for some seconds. */
async function hold(
  context: Context,
  options: { readonly count: number; readonly origin: string; readonly sent: string; readonly drip?: string },
): Promise<void> {
  const held: RawConnection[] = [];
  await context.parallel(context.amount(options.count), 50, async (index) => {
    const connection = await open(context, { origin: options.origin, from: loopbackAddress(index % 200) });
    if (connection === undefined) return;
    connection.stream.write(options.sent);
    connection.stream.resume();
    held.push(connection);
  });
  for (let second = 0; second < context.amount(6); second += 1) {
    await sleep(1_000);
    if (options.drip !== undefined) for (const { stream } of held) stream.write(options.drip);
  }
  for (const { stream } of held) {
    context.tally.count(stream.destroyed || stream.readableEnded ? 'closed by the server' : 'held');
    stream.destroy();
  }
}

async function expectAnswer(context: Context, sent: string, rule: (text: string) => string | undefined) {
  const connection = await dial({ origin: context.http });
  connection.stream.write(sent);
  const text = (await receiveAll(connection, 2_000)).toString('latin1');
  connection.stream.destroy();
  const broken = rule(text);
  context.tally.count(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'no answer');
  if (broken !== undefined) context.tally.violate(broken);
}

async function oddProtocols(context: Context): Promise<void> {
  await expectAnswer(context, 'GET /xapi/about\r\n\r\n', (text) =>
    text.includes(' 200 ') ? 'a request of HTTP/0.9 was answered' : undefined,
  );
  const about = 'GET /xapi/about HTTP/1.1\r\nHost: a\r\n';
  const upgrade = `${about}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n${about}\r\n`;
  await expectAnswer(context, upgrade, (text) => {
    const answers = text.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0;
    const closes = /\r\nconnection: close/i.test(text);
    return answers === 2 || (answers === 1 && closes)
      ? undefined
      : 'a request behind Upgrade was neither answered nor was the connection closed';
  });
}

async function unreadAnswers(context: Context): Promise<void> {
  const { authorization } = context.client;
  const path = '/xapi/activities/profile?activityId=https%3A%2F%2Fattacker.example%2Fa&profileId=large';
  const held: RawConnection[] = [];
  await context.parallel(context.amount(150), 25, async (index) => {
    const connection = await open(context, { origin: context.http, from: loopbackAddress(index) });
    if (connection === undefined) return;
    connection.stream.pause();
    const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nX-Experience-API-Version: 1.0.3\r\n\r\n`;
    connection.stream.write(request.repeat(index % 3 === 0 ? 5 : 1));
    held.push(connection);
  });
  await sleep(context.amount(5) * 1_000);
  for (const { reset } of held) reset();
  context.tally.count('not read', held.length);
}

/** The longest script of the screen, which is served to anybody. */
async function longestScript({ client }: Context): Promise<string> {
  const { body } = await client.send({ path: '/' });
  const paths = [...body.toString().matchAll(/[\w./-]*assets\/[\w.-]+\.js/g)].map(([found]) => found);
  const lengths = await Promise.all(
    paths.map(async (path) => ({ path, length: (await client.send({ path: rooted(path) })).body.length })),
  );
  const longest = lengths.toSorted((one, other) => other.length - one.length)[0];
  if (longest === undefined) throw new Error('The screen names no scripts.');
  return rooted(longest.path);
}

function rooted(path: string): string {
  return path.slice(path.indexOf('/assets/'));
}

async function unreadDownloads(context: Context): Promise<void> {
  const path = await longestScript(context);
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const held: RawConnection[] = [];
  await context.parallel(context.amount(400), 50, async (index) => {
    const connection = await open(context, { origin: context.http, from: loopbackAddress(index) });
    if (connection === undefined) return;
    connection.stream.pause();
    connection.stream.write(request.repeat(20));
    held.push(connection);
  });
  await sleep(context.amount(5) * 1_000);
  for (const { reset } of held) reset();
  context.tally.count('not read', held.length);
}

async function pipelinedFlood(context: Context): Promise<void> {
  const request = 'GET /xapi/about HTTP/1.1\r\nHost: a\r\n\r\n';
  await context.parallel(context.amount(20), 20, async (index) => {
    const connection = await open(context, { origin: context.http, from: loopbackAddress(index) });
    if (connection === undefined) return;
    connection.stream.pause();
    connection.stream.write(request.repeat(20_000));
    await sleep(context.amount(6) * 1_000);
    connection.reset();
    context.tally.count('pipelined 20,000 requests');
  });
}

export const connectionAttacks: readonly Attack[] = [
  {
    name: 'protocol-states',
    area: 'connections',
    threat: '10,000 connections end in every state of the protocol by reset, half-close, close or stall',
    run: everyState,
  },
  {
    name: 'odd-protocols',
    area: 'connections',
    threat: 'HTTP/0.9, and a request behind Upgrade',
    run: oddProtocols,
  },
  {
    name: 'half-open-requests',
    area: 'connections',
    threat: '3,000 connections whose headers never end',
    run: (context) =>
      hold(context, {
        count: 3_000,
        origin: context.http,
        sent: 'GET /xapi/about HTTP/1.1\r\nHost: a\r\n',
        drip: 'X-A: b\r\n',
      }),
  },
  {
    name: 'idle-connections',
    area: 'connections',
    threat: '3,000 connections that send nothing',
    run: (context) => hold(context, { count: 3_000, origin: context.http, sent: '' }),
  },
  {
    name: 'idle-tls',
    area: 'connections',
    threat: '1,000 TLS connections that send nothing after the handshake',
    run: (context) => hold(context, { count: 1_000, origin: context.https, sent: '' }),
  },
  {
    name: 'no-tls-handshake',
    area: 'connections',
    threat: '2,000 connections to the HTTPS port that never begin a handshake',
    long: true,
    run: (context) =>
      hold(context, { count: 2_000, origin: context.https.replace('https:', 'http:'), sent: '' }),
  },
  {
    name: 'slow-bodies',
    area: 'connections',
    threat: '1,000 bodies of which a byte comes each second',
    run: (context) =>
      hold(context, {
        count: 1_000,
        origin: context.http,
        sent: `POST /xapi/statements HTTP/1.1\r\nHost: a\r\nAuthorization: ${context.client.authorization}\r\nX-Experience-API-Version: 1.0.3\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n[`,
        drip: ' ',
      }),
  },
  {
    name: 'exhausted-descriptors',
    area: 'connections',
    threat: '1,000 idle connections where the operating system grants 400 descriptors',
    descriptors: 400,
    run: (context) => hold(context, { count: 1_000, origin: context.http, sent: 'GET / HTTP/1.1\r\n' }),
  },
  {
    name: 'unread-answers',
    area: 'connections',
    threat: '150 clients ask for 9.9 MB and do not read the answer',
    prepare: async ({ client }) => {
      await client.send({
        method: 'PUT',
        path: '/xapi/activities/profile?activityId=https%3A%2F%2Fattacker.example%2Fa&profileId=large',
        headers: { 'Content-Type': 'application/octet-stream', 'If-None-Match': '*' },
        body: Buffer.alloc(9_900_000, 'x'),
      });
    },
    run: unreadAnswers,
  },
  {
    name: 'unread-downloads',
    area: 'connections',
    threat: '400 clients ask 20 times each for the longest script of the screen and read nothing',
    run: unreadDownloads,
  },
  {
    name: 'pipelined-flood',
    area: 'connections',
    threat: '20 clients send 20,000 requests each without reading an answer',
    run: pipelinedFlood,
  },
];
