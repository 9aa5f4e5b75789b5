import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { dial, loopbackAddress, type RawConnection, receiveAll, write } from '../raw.ts';
import { formType, jsonType, largeBody, list, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

interface Upload {
  readonly count: number;
  readonly authorized: boolean;
  /** Milliseconds between the pieces of 64 kB; 0 sends as fast as the server reads. */
  readonly pause: number;
}

async function upload(context: Context, { count, authorized, pause }: Upload): Promise<void> {
  const piece = Buffer.alloc(64 * 1024, ' ');
  const authorization = authorized ? `Authorization: ${context.client.authorization}\r\n` : '';
  const head = `POST /xapi/statements HTTP/1.1\r\nHost: a\r\n${authorization}X-Experience-API-Version: 1.0.3\r\nContent-Type: application/json\r\nContent-Length: ${largeBody}\r\n\r\n`;
  await context.parallel(context.amount(count), 200, async (index) => {
    let connection: RawConnection;
    try {
      connection = await dial({ origin: context.http, from: loopbackAddress(index) });
    } catch {
      return context.tally.count('refused');
    }
    const received = receiveAll(connection, 15_000);
    await write(connection, head);
    // The last piece is never sent, so that every body stays in memory as long as the server keeps it.
    for (let sent = piece.length; sent < largeBody - piece.length; sent += piece.length) {
      if (connection.stream.destroyed) break;
      await write(connection, piece);
      if (pause > 0) await sleep(pause);
    }
    await Promise.race([received, sleep(3_000)]);
    connection.stream.destroy();
    const status = /^HTTP\/1\.1 (\d{3})/.exec((await received).toString('latin1'))?.[1];
    context.tally.count(status ?? 'no answer');
  });
}

/** A body whose chunks hold a byte each, so that the work lies in the framing. */
async function tinyChunks(context: Context, extension: string): Promise<void> {
  const chunks = `1${extension}\r\n \r\n`;
  const body = chunks.repeat(Math.floor(9_000_000 / chunks.length));
  const head = `POST /xapi/statements HTTP/1.1\r\nHost: a\r\nAuthorization: ${context.client.authorization}\r\nX-Experience-API-Version: 1.0.3\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  await context.parallel(context.amount(8), 4, async (index) => {
    const connection = await dial({ origin: context.http, from: loopbackAddress(index) });
    const received = receiveAll(connection, 20_000);
    await write(connection, head);
    for (let at = 0; at < body.length; at += 256 * 1024)
      await write(connection, body.slice(at, at + 256 * 1024));
    await write(connection, '0\r\n\r\n');
    await Promise.race([received, sleep(2_000)]);
    connection.stream.destroy();
    context.tally.count(/^HTTP\/1\.1 (\d{3})/.exec((await received).toString('latin1'))?.[1] ?? 'no answer');
  });
}

/** As many as fit into a body that needs no authentication, each in one piece, so that they arrive at once. */
async function anonymousChunks(context: Context): Promise<void> {
  const head =
    'POST /admin/account/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const sent = head + '1\r\n \r\n'.repeat(65_000);
  await context.parallel(context.amount(400), 100, async (index) => {
    const connection = await dial({ origin: context.http, from: loopbackAddress(index) });
    const received = receiveAll(connection, 20_000);
    await write(connection, sent).catch(() => {});
    await write(connection, '0\r\n\r\n').catch(() => {});
    await Promise.race([received, sleep(2_000)]);
    connection.stream.destroy();
    context.tally.count(/^HTTP\/1\.1 (\d{3})/.exec((await received).toString('latin1'))?.[1] ?? 'no answer');
  });
}

function form(count: number, field: string): Buffer {
  return Buffer.from(`${field}&`.repeat(count).slice(0, largeBody));
}

async function sendForms(context: Context, bodies: readonly Buffer[]): Promise<void> {
  const methods = ['PUT', 'GET', 'POST'];
  for (const method of methods.slice(0, context.amount(methods.length))) {
    await context.parallel(bodies.length, 2, (index) =>
      context.client.send({
        method: 'POST',
        path: `/xapi/statements?method=${method}`,
        headers: formType,
        body: bodies[index] ?? '',
      }),
    );
  }
}

export const bodyAttacks: readonly Attack[] = [
  {
    name: 'anonymous-bodies',
    area: 'bodies',
    threat: '200 bodies of 9.9 MB at a time, without credentials',
    run: (context) => upload(context, { count: 200, authorized: false, pause: 0 }),
  },
  {
    name: 'authorized-bodies',
    area: 'bodies',
    threat: '200 bodies of 9.9 MB at a time, with a key pair',
    run: (context) => upload(context, { count: 200, authorized: true, pause: 0 }),
  },
  {
    name: 'slow-large-bodies',
    area: 'bodies',
    threat: '200 bodies of 9.9 MB at a time, with a key pair, each at 1.6 MB/s',
    long: true,
    run: (context) => upload(context, { count: 200, authorized: true, pause: 40 }),
  },
  {
    name: 'tiny-chunks',
    area: 'bodies',
    threat: '9 MB in chunks of one byte, four at a time',
    long: true,
    run: (context) => tinyChunks(context, ''),
  },
  {
    name: 'anonymous-chunks',
    area: 'bodies',
    threat: 'logins of 65,000 chunks of one byte, a hundred at a time',
    run: anonymousChunks,
  },
  {
    name: 'chunk-extensions',
    area: 'bodies',
    threat: 'chunks with long extensions',
    long: true,
    run: (context) => tinyChunks(context, `;${'x'.repeat(200)}`),
  },
  {
    name: 'form-parameters',
    area: 'bodies',
    threat: 'the alternate request syntax with a million parameters, or one of 9.9 MB',
    run: (context) =>
      sendForms(context, [
        form(2_000_000, 'a=1'),
        form(1_000_000, 'content'),
        form(3_000_000, '%41%42'),
        form(5_000_000, ''),
        Buffer.from(`agent=${'%7B%22a%22%3A'.repeat(700_000)}`.slice(0, largeBody)),
        Buffer.from(`content=${'%20'.repeat(3_000_000)}`),
        Buffer.from(`content=${'+'.repeat(9_000_000)}`),
        Buffer.from(`content=${encodeURIComponent(`[${list(15_000, () => statementText())}]`)}`),
      ]),
  },
  {
    name: 'compressed-bodies',
    area: 'bodies',
    threat: 'request bodies in gzip that grow a thousandfold',
    run: async (context) => {
      const bomb = gzipSync(Buffer.alloc(300_000_000, ' '));
      await context.parallel(context.amount(30), 4, () =>
        context.client.post(bomb, { ...jsonType, 'Content-Encoding': 'gzip' }),
      );
    },
  },
  {
    name: 'wrong-lengths',
    area: 'bodies',
    threat: 'lengths that are negative, huge, repeated or contradict the coding',
    run: async (context) => {
      const lengths = [
        '-1',
        '99999999999999999999',
        '1e3',
        '5, 5',
        '5, 6',
        '0x10',
        ' ',
        '+5',
        '5\r\nContent-Length: 6',
      ];
      await context.parallel(context.amount(500), 10, async (index) => {
        const connection = await dial({ origin: context.http });
        const length = lengths[index % lengths.length];
        connection.stream.write(
          `POST /xapi/statements HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n{"a":1}`,
        );
        const text = (await receiveAll(connection, 1_000)).toString('latin1');
        connection.stream.destroy();
        context.tally.count(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'no answer');
      });
    },
  },
];
