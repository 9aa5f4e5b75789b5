import { jsonType, largeBody, list, numberedUuid, objectOf, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

/** Statements each of which is as large as a request may be. */
const giants: Readonly<Record<string, () => string>> = {
  members: () =>
    statementText({
      actor: `{"objectType":"Group","member":[${list(230_000, (index) => `{"mbox":"mailto:m${index}@x.org"}`)}]}`,
    }),
  'equal members': () =>
    statementText({
      actor: `{"objectType":"Group","member":[${list(300_000, () => '{"mbox":"mailto:m@x.org"}')}]}`,
    }),
  'unknown properties': () => `{${list(700_000, (index) => `"p${index}":1`)},${statementText().slice(1)}`,
  'unknown properties of the actor': () =>
    statementText({ actor: `{"mbox":"mailto:a@x.org",${list(700_000, (index) => `"p${index}":1`)}}` }),
  'equal names': () => `{${list(1_000_000, () => '"id":1')},${statementText().slice(1)}`,
  'context activities': () =>
    statementText({
      context: `{"contextActivities":{"other":[${list(250_000, (index) => `{"id":"http://x.org/${index}"}`)}]}}`,
    }),
  'context agents': () =>
    statementText({
      context: `{"contextAgents":[${list(100_000, (index) => `{"objectType":"contextAgent","agent":{"mbox":"mailto:m${index}@x.org"}}`)}]}`,
    }),
  'language map': () =>
    statementText({
      verb: `{"id":"http://x.org/v","display":${objectOf(400_000, (index) => `"x-${index.toString(36)}":"a"`)}}`,
    }),
  'interaction choices': () =>
    statementText({
      object: `{"id":"http://x.org/a","definition":{"interactionType":"choice","type":"http://adlnet.gov/expapi/activities/cmi.interaction","choices":[${list(300_000, (index) => `{"id":"c${index}"}`)}]}}`,
    }),
  'correct responses': () =>
    statementText({
      object: `{"id":"http://x.org/a","definition":{"interactionType":"choice","type":"http://adlnet.gov/expapi/activities/cmi.interaction","correctResponsesPattern":[${list(800_000, (index) => `"c${index}"`)}]}}`,
    }),
  extensions: () =>
    statementText({
      result: `{"extensions":${objectOf(350_000, (index) => `"http://x.org/${index}":1`)}}`,
    }),
  'nested extensions': () =>
    statementText({
      result: `{"extensions":{"http://x.org/e":[${list(80_000, () => `${'['.repeat(55)}1${']'.repeat(55)}`)}]}}`,
    }),
  'empty arrays': () =>
    statementText({ result: `{"extensions":{"http://x.org/e":[${list(3_000_000, () => '[]')}]}}` }),
  numbers: () =>
    statementText({ result: `{"extensions":{"http://x.org/e":[${list(4_000_000, () => '1')}]}}` }),
  'long number': () => statementText({ result: `{"score":{"raw":${'1'.repeat(9_500_000)}}}` }),
  'long fraction': () => statementText({ result: `{"score":{"raw":0.${'1'.repeat(9_500_000)}}}` }),
  'long string': () => statementText({ result: `{"response":"${'x'.repeat(9_500_000)}"}` }),
  escapes: () => statementText({ result: `{"response":"${'\\u0041'.repeat(1_500_000)}"}` }),
  'surrogate escapes': () => statementText({ result: `{"response":"${'\\ud83d\\ude00'.repeat(780_000)}"}` }),
  backslashes: () => statementText({ result: `{"response":"${'\\\\'.repeat(4_500_000)}"}` }),
  'long IRI': () => statementText({ verb: `{"id":"http://x.org/${'%41'.repeat(3_000_000)}"}` }),
  'long mbox': () => statementText({ actor: `{"mbox":"mailto:${'a.'.repeat(4_000_000)}@x.org"}` }),
  'long domain': () => statementText({ actor: `{"mbox":"mailto:a@${'a-'.repeat(4_000_000)}.org"}` }),
  'long language tag': () =>
    statementText({ verb: `{"id":"http://x.org/v","display":{"${'en-'.repeat(3_000_000)}US":"a"}}` }),
  'long timestamp': () => statementText({ timestamp: `"2020-01-01T00:00:00.${'0'.repeat(9_000_000)}Z"` }),
  'long duration': () => statementText({ result: `{"duration":"PT${'1'.repeat(9_000_000)}.5S"}` }),
  'long media type': () =>
    statementText({
      attachments: `[{"usageType":"http://x.org/u","display":{"en":"a"},"contentType":"a/${'b;c=d;'.repeat(1_500_000)}","length":1,"sha2":"${'0'.repeat(64)}","fileUrl":"http://x.org/f"}]`,
    }),
  'long version': () => statementText({ version: `"1.0.${'0'.repeat(9_000_000)}"` }),
  blanks: () => `${' '.repeat(4_900_000)}${statementText()}${'\n'.repeat(4_900_000)}`,
  brackets: () => '['.repeat(largeBody),
  quotes: () => '"'.repeat(largeBody),
  'members of a SubStatement': () =>
    statementText({
      object: `{"objectType":"SubStatement",${statementText({ actor: `{"objectType":"Group","member":[${list(200_000, (index) => `{"mbox":"mailto:m${index}@x.org"}`)}]}` }).slice(1)}`,
    }),
  'attachments by address': () =>
    statementText({
      attachments: `[${list(45_000, (index) => `{"usageType":"http://x.org/u","display":{"en":"a"},"contentType":"a/b","length":1,"sha2":"${index.toString(16).padStart(64, '0')}","fileUrl":"http://x.org/f"}`)}]`,
    }),
};

/** Made before the attack, because making them takes the machine's time, too. */
const bodies = new Map<string, Buffer>();

function bodyOf(kind: string): Buffer {
  const body = bodies.get(kind) ?? Buffer.from(giants[kind]?.() ?? '');
  bodies.set(kind, body);
  return body;
}

async function postGiant(context: Context, body: Buffer): Promise<void> {
  if (body.length > largeBody + 500_000) throw new Error(`The body has ${body.length} bytes.`);
  for (const version of ['1.0.3', '2.0.0']) {
    await context.client.post(body, { ...jsonType, 'X-Experience-API-Version': version });
  }
  await context.client.post(Buffer.concat([Buffer.from('['), body.subarray(0, largeBody), Buffer.from(']')]));
}

const giantAttacks: readonly Attack[] = Object.keys(giants).map((kind) => ({
  name: `giant-${kind.toLowerCase().replaceAll(' ', '-')}`,
  area: 'validation',
  threat: `one statement of up to 9.9 MB: ${kind}`,
  long: true,
  prepare: async () => {
    bodyOf(kind);
  },
  run: async (context) => {
    await postGiant(context, bodyOf(kind));
    bodies.delete(kind);
  },
}));

/** One of each kind; the short form picks some. */
const everyGiant: Attack = {
  name: 'giant-statements',
  area: 'validation',
  threat: 'one statement of up to 9.9 MB of every kind, four at a time',
  prepare: async (context) => {
    for (const kind of picked(context)) bodyOf(kind);
  },
  run: async (context) => {
    const kinds = [...bodies.keys()];
    await context.parallel(kinds.length, 4, (index) => context.client.post(bodyOf(kinds[index] ?? '')));
    bodies.clear();
  },
};

function picked({ amount, random }: Context): string[] {
  const kinds = Object.keys(giants);
  const first = random.int(kinds.length);
  return Array.from(
    { length: amount(kinds.length) },
    (_, index) => kinds[(first + index) % kinds.length] ?? '',
  );
}

export const validationAttacks: readonly Attack[] = [
  everyGiant,
  ...giantAttacks,
  {
    name: 'large-batches',
    area: 'validation',
    threat: '20,000 tiny statements in a request, four at a time',
    run: async (context) => {
      const batch = Buffer.from(`[${list(context.amount(20_000), () => statementText())}]`);
      await context.parallel(context.amount(12), 4, () => context.client.post(batch));
    },
  },
  {
    name: 'batches-wrong-at-the-end',
    area: 'validation',
    threat: '15,000 statements of which the last repeats the id of the first',
    run: async (context) => {
      const count = context.amount(15_000);
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
