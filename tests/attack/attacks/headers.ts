import { jsonType, list, objectOf, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

const activity = 'https://attacker.example/activities/languages';

/** Statements whose texts exist in many languages. */
async function storeLanguages({ client, amount }: Context): Promise<void> {
  const map = objectOf(40, (index) => `"x-l${index}":"text ${index}"`);
  const object = `{"id":"${activity}","definition":{"name":${map},"description":${map}}}`;
  const verb = `{"id":"https://attacker.example/verbs/languages","display":${map}}`;
  await client.post(`[${list(amount(50), () => statementText({ verb, object }))}]`);
}

async function askInLanguages(context: Context, header: string, count: number): Promise<void> {
  const verb = encodeURIComponent('https://attacker.example/verbs/languages');
  await context.parallel(context.amount(count), 4, () =>
    context.client.send({
      path: `/xapi/statements?format=canonical&limit=50&verb=${verb}`,
      headers: { 'Accept-Language': header },
    }),
  );
}

/** As much as the limit of the headers (64 kB) lets in. */
const room = 60_000;

async function flood(context: Context, headers: Readonly<Record<string, string | readonly string[]>>) {
  const paths = ['/xapi/about', '/xapi/statements?limit=1', '/admin/account', '/health', '/', '/nothing'];
  for (const path of paths) {
    await context.parallel(context.amount(100), 4, () => context.client.send({ path, headers }));
  }
}

const floods: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>> = {
  'cookie-flood': { Cookie: 'a=b; '.repeat(room / 5) },
  'repeated-headers': { 'X-Repeated': Array.from({ length: 1_500 }, (_, index) => `${index}`) },
  'accept-encoding-flood': { 'Accept-Encoding': 'gzip;q=0.1,br;q=0.2,'.repeat(room / 20) },
  'if-none-match-flood': { 'If-None-Match': '"a", W/"b",'.repeat(room / 11) },
  'forwarded-flood': {
    'X-Forwarded-For': '1.1.1.1, '.repeat(3_000),
    'X-Forwarded-Host': 'a, '.repeat(8_000),
  },
  'origin-flood': { Origin: `https://${'a.'.repeat(20_000)}example`, 'Access-Control-Request-Method': 'GET' },
  'range-flood': { Range: `bytes=${'0-1,'.repeat(14_000)}` },
  'content-type-flood': { 'Content-Type': `application/json${';a=b'.repeat(14_000)}` },
  'quoted-content-type': { 'Content-Type': `multipart/mixed; boundary="${'\\"'.repeat(25_000)}` },
  'authorization-flood': { Authorization: `Basic ${'A'.repeat(60_000)}` },
  'token-flood': {
    Authorization: `Bearer ${'a'.repeat(20_000)}.${'b'.repeat(20_000)}.${'c'.repeat(19_000)}`,
  },
  'version-flood': { 'X-Experience-API-Version': `1.0.${'0'.repeat(room)}` },
};

export const headerAttacks: readonly Attack[] = [
  {
    name: 'many-languages',
    area: 'headers',
    threat: 'Accept-Language of 60 kB for a page whose texts have 40 languages each',
    prepare: storeLanguages,
    run: (context) =>
      askInLanguages(
        context,
        list(room / 9, (index) => `x-${index.toString(36).padStart(5, '0')}`),
        8,
      ),
  },
  {
    name: 'some-languages',
    area: 'headers',
    threat: 'Accept-Language of 1.6 kB for the same page',
    prepare: storeLanguages,
    run: (context) =>
      askInLanguages(
        context,
        list(180, (index) => `x-${index};q=0.5`),
        100,
      ),
  },
  {
    name: 'long-languages',
    area: 'headers',
    threat: 'one language range of 60 kB, and one with 20,000 parts',
    prepare: storeLanguages,
    run: async (context) => {
      await askInLanguages(context, 'a'.repeat(room), 8);
      await askInLanguages(context, `en${'-x'.repeat(room / 3)}`, 8);
      await askInLanguages(context, `en;q=${'0'.repeat(room)}`, 8);
      await askInLanguages(context, `${' '.repeat(room)},;;;==`, 8);
    },
  },
  ...Object.entries(floods).map(
    ([name, headers]): Attack => ({
      name,
      area: 'headers',
      threat: `${Object.keys(headers).join(', ')} of up to 60 kB`,
      run: (context) => flood(context, headers),
    }),
  ),
  {
    name: 'posted-content-types',
    area: 'headers',
    threat: 'bodies with Content-Types of 60 kB',
    run: async (context) => {
      const types = [
        `application/json${';a=b'.repeat(14_000)}`,
        `multipart/mixed;${' '.repeat(50_000)}boundary=b`,
        `multipart/mixed; boundary="${'\\a'.repeat(25_000)}"`,
        `multipart/mixed${';a="'.repeat(14_000)}`,
        `a/${'b+'.repeat(25_000)}json`,
      ];
      await context.parallel(context.amount(200), 4, (index) =>
        context.client.post(statementText(), {
          ...jsonType,
          'Content-Type': types[index % types.length] ?? '',
        }),
      );
    },
  },
];
