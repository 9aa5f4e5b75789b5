import { giants } from '../giants.ts';
import { limits } from '../limits.ts';
import { jsonType, list, numberedUuid, objectOf, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

/** Made before the attack, because making them takes the machine's time, too. */
const bodies = new Map<string, readonly Buffer[]>();

const kinds = Object.keys(giants);

/** The statement that is as large as a request may be, and the one that is as large as the limits of a statement let through. */
function makeBodies(kind: string): void {
  const giant = giants[kind];
  if (giant === undefined) throw new Error(`There is no kind ${kind}.`);
  bodies.set(kind, [Buffer.from(giant.text(giant.whole)), Buffer.from(giant.text(giant.permitted))]);
}

async function postGiant({ client }: Context, kind: string): Promise<void> {
  for (const body of bodies.get(kind) ?? []) {
    for (const version of ['1.0.3', '2.0.0']) {
      await client.post(body, { ...jsonType, 'X-Experience-API-Version': version });
    }
    await client.post(Buffer.concat([Buffer.from('['), body, Buffer.from(']')]));
  }
}

const giantAttacks: readonly Attack[] = kinds.map((kind) => ({
  name: `giant-${kind.toLowerCase().replaceAll(' ', '-')}`,
  area: 'validation',
  threat: `one statement as large as a request or as the limits permit: ${kind}`,
  long: true,
  prepare: async () => makeBodies(kind),
  run: async (context) => {
    await postGiant(context, kind);
    bodies.clear();
  },
}));

/** One of each kind; the short form picks some. */
const everyGiant: Attack = {
  name: 'giant-statements',
  area: 'validation',
  threat: 'statements as large as a request or as the limits permit, of every kind, four at a time',
  prepare: async (context) => {
    const first = context.random.int(kinds.length);
    const count = Math.max(4, context.amount(kinds.length));
    for (let index = 0; index < count; index += 1) makeBodies(kinds[(first + index) % kinds.length] ?? '');
  },
  run: async (context) => {
    const all = [...bodies.values()].flat();
    await context.parallel(all.length, 4, (index) => context.client.post(all[index] ?? ''));
    bodies.clear();
  },
};

/** Definitions just below what is merged (1 MiB), of as many values as a statement may have: names, long texts, extensions. */
const definitions: readonly string[] = [
  `{"name":${objectOf(4_000, (index) => `"x-${index}":"${'n'.repeat(220)}"`)}}`,
  `{"name":{"en":"${'n'.repeat(1_000_000)}"}}`,
  `{"extensions":${objectOf(4_000, (index) => `"http://x.org/${index}":{"a":[${index},"${'e'.repeat(200)}"]}`)}}`,
  `{"interactionType":"choice","choices":[${list(4_000, (index) => `{"id":"${index}","description":{"en":"${'c'.repeat(190)}"}}`)}]}`,
];

/** A statement of 3.8 MB about Activities with such definitions, which change a little with each statement. */
function defining(index: number): string {
  const activity = (place: number): string => {
    const definition = definitions[(index + place) % definitions.length] ?? '{}';
    return `{"id":"http://x.org/defined/${place}","definition":{"type":"http://x.org/t${index}",${definition.slice(1)}}`;
  };
  const others = list(2, (place) => activity(place + 1));
  return statementText({
    object: activity(0),
    context: `{"contextActivities":{"other":[${others}]}}`,
    result: `{"response":"${'r'.repeat(900_000)}"}`,
  });
}

/** A statement that gives one activity names in languages that no other one has. */
function naming(tag: string): string {
  const names = list(9000, (index) => `"en-x-${tag}-${index}":"n"`);
  return statementText({ object: `{"id":"http://x.org/named","definition":{"name":{${names}}}}` });
}

/** On Postgres this character and U+0000 are stored as two characters each. */
const privateText = '\uE000'.repeat(Math.floor((limits.stmtMaxBytes - 2_000) / 3));
const named = '{"mbox":"mailto:named@x.org"}';

/** Stores them in a statement and as a name, and reads both. */
async function storePrivateCharacters({ client, amount, parallel }: Context): Promise<void> {
  const bodies = [
    statementText({ result: `{"extensions":{"http://x.org/e":"${privateText}"}}` }),
    statementText({ actor: named.replace('}', `,"name":"${privateText}"}`) }),
  ].map((text) => Buffer.from(text));
  const agent = encodeURIComponent(named);
  await parallel(amount(40), 8, async (index) => {
    await client.post(bodies[index % bodies.length] ?? '');
    await client.send({ path: '/xapi/statements?limit=2' });
    await client.send({ path: `/xapi/agents?agent=${agent}` });
  });
}

/** A text of its own, with the length of all others: V8 hashes it by that alone. */
const longText = (tag: string): string => `${'漢'.repeat(200)}${'n'.repeat(16_500)}${tag.padStart(12, '0')}`;

/** Statements with such texts wherever a client may choose one, of one kind in each request. */
function longEqualTexts(batch: number, count: number): string {
  const text = (index: number): string => longText(`${batch}-${index}`);
  const kinds: readonly ((index: number) => string)[] = [
    (index) => statementText({ actor: `{"mbox":"mailto:named@x.org","name":"${text(index)}"}` }),
    (index) => statementText({ actor: `{"account":{"homePage":"http://x.org","name":"${text(index)}"}}` }),
    (index) => statementText({ context: `{"platform":"${text(index)}"}` }),
    (index) => statementText({ verb: `{"id":"http://x.org/${text(index)}"}` }),
    (index) => statementText({ object: `{"id":"http://x.org/${text(index)}","definition":{}}` }),
    (index) =>
      statementText({ object: `{"id":"http://x.org/d","definition":{"name":{"en":"${text(index)}"}}}` }),
  ];
  const kind = kinds[batch % kinds.length] ?? (() => '');
  return `[${list(count, kind)}]`;
}

/** Groups with as many members of such names as fit into a statement. */
function longMembers(batch: number, count: number): string {
  const member = (index: number): string =>
    `{"account":{"homePage":"http://x.org","name":"${longText(`${batch}-${index}`)}"}}`;
  return statementText({ actor: `{"objectType":"Group","member":[${list(count, member)}]}` });
}

async function storeLongEqualTexts({ client, amount, parallel }: Context): Promise<void> {
  const count = amount(560);
  await parallel(amount(24), 2, async (batch) => {
    await client.post(longEqualTexts(batch, count));
    await client.post(longMembers(batch, Math.ceil(count / 3)));
  });
}

/** An object whose property names are such texts. */
const longNames = (count: number, tag: string): string =>
  objectOf(count, (index) => `"http://x.org/${longText(`${tag}-${index}`)}":${index}`);

/** In statements, in documents, and without credentials: each body is parsed before anything else is known of it. */
async function sendLongNames({ client, amount, parallel }: Context): Promise<void> {
  const count = amount(240);
  const path = `/xapi/activities/profile?activityId=${encodeURIComponent('http://x.org/a')}&profileId=long`;
  await parallel(amount(60), 4, async (turn) => {
    await client.post(statementText({ result: `{"extensions":${longNames(count, `${turn}`)}}` }));
    await client.send({ method: 'POST', path, headers: jsonType, body: longNames(count, `d${turn}`) });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await client.send({
        method: 'POST',
        path: '/admin/account/login',
        headers: jsonType,
        body: longNames(3, `l${turn}-${attempt}`),
        anonymous: true,
      });
    }
  });
}

/** Definitions with more values than are merged, in little text. */
function overfull(batch: number, count: number, activity: (index: number) => string): string {
  const zeros = list(5_050, () => '0');
  const text = (index: number): string =>
    statementText({
      object: `{"id":"${activity(index)}","definition":{"extensions":{"http://x.org/e":["${batch}-${index}",[${zeros}],[${zeros}]]}}}`,
    });
  return `[${list(count, text)}]`;
}

async function defineOverfull({ client, amount, parallel }: Context): Promise<void> {
  const count = amount(450);
  await parallel(amount(12), 2, async (batch) => {
    await client.post(overfull(batch, count, () => 'http://x.org/overfull'));
    await client.post(overfull(batch, count, (index) => `http://x.org/overfull/${batch}-${index}`));
  });
}

export const validationAttacks: readonly Attack[] = [
  everyGiant,
  ...giantAttacks,
  {
    name: 'long-equal-texts',
    area: 'validation',
    threat:
      'names, accounts, platforms and IRIs of one length above 16,383 characters, 560 in a request, two at a time',
    run: storeLongEqualTexts,
  },
  {
    name: 'long-names',
    area: 'validation',
    threat:
      'property names of one length above 16,383 characters in statements, documents and logins, four at a time',
    run: sendLongNames,
  },
  {
    name: 'overfull-definitions',
    area: 'validation',
    threat:
      'requests of 450 definitions of more than 10,000 values, of one activity and of many, two at a time',
    run: defineOverfull,
  },
  {
    name: 'long-texts-together',
    area: 'validation',
    threat: 'statements with names, IRIs and addresses of 4 MB, 20 at a time',
    run: async (context) => {
      const texts = ['long IRI', 'long mbox', 'long account', 'long string', 'long timestamp'].map((kind) =>
        Buffer.from(giants[kind]?.text(limits.stmtMaxBytes - 2_000) ?? ''),
      );
      await context.parallel(context.amount(100), 20, (index) =>
        context.client.post(texts[index % texts.length] ?? ''),
      );
    },
  },
  {
    name: 'private-characters',
    area: 'validation',
    threat: 'statements and names of 4 MB of the character U+E000, stored and read, eight at a time',
    run: storePrivateCharacters,
  },
  {
    name: 'large-definitions',
    area: 'validation',
    threat:
      'statements of 3.8 MB whose definitions are merged, stored and read in the canonical format, four at a time',
    long: true,
    run: (context) =>
      context.parallel(context.amount(32), 4, async (index) => {
        await context.client.post(defining(index));
        await context.client.send({ path: '/xapi/statements?format=canonical&limit=5' });
        const activity = encodeURIComponent(`http://x.org/defined/${index % 3}`);
        await context.client.send({ path: `/xapi/activities?activityId=${activity}` });
      }),
  },
  {
    name: 'definitions-of-many-languages',
    area: 'validation',
    threat: 'requests of 45 statements that give one activity 9,000 languages each, two at a time',
    run: (context) =>
      context.parallel(context.amount(8), 2, (batch) =>
        context.client.post(`[${list(45, (index) => naming(`${batch}-${index}`))}]`),
      ),
  },
  {
    name: 'large-batches',
    area: 'validation',
    threat: '20,000 tiny statements in a request, and as many as are permitted, four at a time',
    run: async (context) => {
      for (const count of [20_000, limits.stmtMaxCount]) {
        const batch = Buffer.from(`[${list(context.amount(count), () => statementText())}]`);
        await context.parallel(context.amount(8), 4, () => context.client.post(batch));
      }
    },
  },
  {
    name: 'batches-wrong-at-the-end',
    area: 'validation',
    threat: 'as many statements as are permitted, of which the last repeats the id of the first',
    run: async (context) => {
      const count = context.amount(limits.stmtMaxCount);
      const texts = list(count, (index) =>
        statementText({ id: `"${numberedUuid(index % (count - 1), 77)}"` }),
      );
      await context.parallel(context.amount(8), 4, () => context.client.post(`[${texts}]`));
    },
  },
  {
    name: 'new-agents-and-activities',
    area: 'validation',
    threat: 'statements each of which names a new agent, activity, verb and registration',
    run: async (context) => {
      await context.parallel(context.amount(60), 4, (batch) =>
        context.client.post(
          `[${list(500, (index) =>
            statementText({
              actor: `{"mbox":"mailto:a${batch}-${index}@x.org","name":"n${batch}${index}"}`,
              verb: `{"id":"http://x.org/v${batch}/${index}"}`,
              object: `{"id":"http://x.org/a${batch}/${index}","definition":{"name":{"en":"a${index}"}}}`,
              context: `{"registration":"${numberedUuid(batch * 500 + index, 5)}"}`,
            }),
          )}]`,
        ),
      );
    },
  },
  {
    name: 'conflicts',
    area: 'validation',
    threat: 'many clients store other statements under the same ids',
    run: async (context) => {
      await context.parallel(context.amount(300), 8, (turn) =>
        context.client.post(
          `[${list(50, (index) =>
            statementText({ id: `"${numberedUuid(index, 9)}"`, result: `{"response":"${turn}"}` }),
          )}]`,
        ),
      );
    },
  },
];
