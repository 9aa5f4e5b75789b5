import { jsonType, list, objectOf } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

const activityId = encodeURIComponent('https://attacker.example/activities/documents');

function profile(id: string): string {
  return `/xapi/activities/profile?activityId=${activityId}&profileId=${encodeURIComponent(id)}`;
}

function state(id: string, agent = '{"mbox":"mailto:attacker@example.org"}'): string {
  return `/xapi/activities/state?activityId=${activityId}&agent=${encodeURIComponent(agent)}&stateId=${encodeURIComponent(id)}`;
}

/** Merges so many documents, each with members of its own, into one. */
async function merge(context: Context, id: string, bodies: readonly string[]): Promise<void> {
  for (const body of bodies) {
    await context.client.send({ method: 'POST', path: state(id), headers: jsonType, body });
  }
}

async function growingDocument(context: Context): Promise<void> {
  const size = context.amount(4_000_000);
  const parts = Array.from({ length: 8 }, (_, index) => `{"p${index}":"${'x'.repeat(size)}"}`);
  await merge(context, 'growing', parts);
  await context.parallel(context.amount(40), 40, (index) =>
    context.client.send({
      method: 'POST',
      path: state('growing'),
      headers: jsonType,
      body: `{"q":${index}}`,
    }),
  );
}

async function manyMembers(context: Context): Promise<void> {
  const count = context.amount(400_000);
  await merge(context, 'members', [objectOf(count, (index) => `"member ${index}":${index}`)]);
  await context.parallel(context.amount(60), 20, (index) =>
    context.client.send({
      method: 'POST',
      path: state('members'),
      headers: jsonType,
      body: `{"other ${index}":1}`,
    }),
  );
}

/** With as many properties as can be merged, and nearly as many bytes as a document may have. */
async function largeMerges(context: Context): Promise<void> {
  const count = context.amount(24_900);
  const body = objectOf(count, (index) => `"${String(index).padStart(375, '0')}":1`);
  const documents = 9;
  await context.parallel(4 * documents, documents, (index) =>
    context.client.send({
      method: 'POST',
      path: profile(`merged ${index % documents}`),
      headers: jsonType,
      body,
    }),
  );
}

async function nestedDocument(context: Context): Promise<void> {
  const nested = `{"a":[${list(context.amount(70_000), () => `${'['.repeat(60)}${']'.repeat(60)}`)}]}`;
  const deep = `${'{"a":'.repeat(900_000)}1${'}'.repeat(900_000)}`;
  await merge(context, 'nested', [nested, deep, '{"b":1}', deep]);
}

async function manyDocuments(context: Context): Promise<void> {
  await context.parallel(context.amount(4_000), 8, (index) =>
    context.client.send({ method: 'PUT', path: state(`document ${index}`), headers: jsonType, body: '{}' }),
  );
  const listed = state('x').replace(/&stateId.*/, '');
  await context.parallel(context.amount(50), 4, () => context.client.send({ path: listed }));
  await context.client.send({ method: 'DELETE', path: listed });
}

async function rivals(context: Context): Promise<void> {
  const tags = Array.from({ length: 1_200 }, (_, index) => `"${index.toString(16).padStart(40, '0')}"`);
  await context.parallel(context.amount(600), 8, (index) =>
    context.client.send({
      method: index % 3 === 0 ? 'PUT' : 'POST',
      path: profile('rivals'),
      headers: {
        ...jsonType,
        ...(index % 2 === 0 ? { 'If-Match': tags.join(', ') } : { 'If-None-Match': '*' }),
      },
      body: '{"a":1}',
    }),
  );
}

async function oddKeys(context: Context): Promise<void> {
  const keys = [
    'x'.repeat(50_000),
    '\u{10ffff}'.repeat(4_000),
    '%',
    '../../etc/passwd',
    "' OR 1=1 --",
    '\u202e',
  ];
  const account = `{"account":{"homePage":"http://x.org","name":"${'n'.repeat(30_000)}"}}`;
  await context.parallel(context.amount(400), 4, async (index) => {
    const id = keys[index % keys.length] ?? '';
    const path =
      index % 2 === 0 ? profile(id) : state(id.slice(0, 10_000), index % 3 === 0 ? account : undefined);
    await context.client.send({
      method: 'PUT',
      path,
      headers: { ...jsonType, 'If-None-Match': '*' },
      body: '{}',
    });
    await context.client.send({ path });
  });
}

async function largeDocuments(context: Context): Promise<void> {
  const body = Buffer.alloc(9_900_000, 'x');
  const types = ['application/octet-stream', 'text/plain', 'application/json'];
  await context.parallel(context.amount(60), 20, (index) =>
    context.client.send({
      method: 'PUT',
      path: state(`large ${index % 5}`),
      headers: { 'Content-Type': types[index % types.length] ?? '' },
      body,
    }),
  );
  await context.parallel(context.amount(120), 40, (index) =>
    context.client.send({ path: state(`large ${index % 5}`) }),
  );
}

export const documentAttacks: readonly Attack[] = [
  {
    name: 'growing-document',
    area: 'documents',
    threat: '8 merges of 4 MB into a document, then 40 small ones at a time',
    run: growingDocument,
  },
  {
    name: 'document-with-many-members',
    area: 'documents',
    threat: 'merges into a document with 400,000 members, 20 at a time',
    run: manyMembers,
  },
  {
    name: 'large-merges',
    area: 'documents',
    threat: 'nine documents of 9.4 MB with 24,900 properties are merged into at a time',
    run: largeMerges,
  },
  {
    name: 'nested-document',
    area: 'documents',
    threat: 'merges of documents with millions of brackets',
    run: nestedDocument,
  },
  {
    name: 'many-documents',
    area: 'documents',
    threat: '4,000 documents under a key, listed and deleted together',
    run: manyDocuments,
  },
  {
    name: 'rival-documents',
    area: 'documents',
    threat: 'eight clients change one document with If-Match of 50 kB',
    run: rivals,
  },
  {
    name: 'odd-document-keys',
    area: 'documents',
    threat: 'ids and Agents of 50 kB, paths, SQL',
    run: oddKeys,
  },
  {
    name: 'large-documents',
    area: 'documents',
    threat: 'documents of 9.9 MB, written 20 and read 40 at a time',
    run: largeDocuments,
  },
];
