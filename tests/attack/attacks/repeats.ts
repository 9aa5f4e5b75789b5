import { list, numberedUuid, objectOf, statementText } from '../texts.ts';
import type { Attack, Context } from '../types.ts';

const page = `http://x.org/${'p'.repeat(690)}`;

/** Statements of up to 3.7 MB that take long to compare: with lists without an order, escapes, numbers of many digits, languages and names that have to be sorted. */
const kinds: readonly ((id: string) => string)[] = [
  (id) =>
    statementText({
      id,
      actor: `{"objectType":"Group","member":[${list(4_900, (index) => `{"account":{"homePage":"${page}","name":"${index}"}}`)}]}`,
    }),
  (id) =>
    statementText({
      id,
      context: `{"contextActivities":{"other":[${list(4_900, (index) => `{"id":"${page}${index}"}`)}]}}`,
    }),
  (id) =>
    statementText({
      id,
      result: `{"extensions":{"http://x.org/e":"${'\\u0001'.repeat(580_000)}"}}`,
    }),
  (id) =>
    statementText({
      id,
      result: `{"extensions":{"http://x.org/e":[${list(9, (index) => `${index}.${'7'.repeat(400_000)}`)}]}}`,
    }),
  (id) => statementText({ id, attachments: `[${list(5, languages)}]` }),
  (id) =>
    statementText({
      id,
      result: `{"extensions":{${list(5, (index) => `"http://x.org/${index}":${objectOf(9_900, (at) => `"${'é'.repeat(12)}${(at * 7_919) % 9_900}":1`)}`)}}}`,
    }),
];

/** An attachment that describes itself in 9,800 languages. */
function languages(): string {
  const display = objectOf(9_800, (at) => `"en-x-${'ABCDEFGH-'.repeat(6)}z${(at * 7_919) % 9_800}":"a"`);
  return `{"usageType":"http://x.org/u","display":${display},"contentType":"text/plain","length":1,"sha2":"${'a'.repeat(64)}","fileUrl":"http://x.org/f"}`;
}

/** Each statement is stored once and then compared with those that follow. */
async function repeat({ client, amount, parallel }: Context): Promise<void> {
  await parallel(amount(kinds.length), 2, async (turn) => {
    const body = Buffer.from(kinds[turn % kinds.length]?.(`"${numberedUuid(turn, 77)}"`) ?? '');
    for (let times = 0; times < 6; times += 1) await client.post(body);
  });
}

export const repeatAttacks: readonly Attack[] = [
  {
    name: 'repeated-statements',
    area: 'validation',
    threat: 'statements of 3.7 MB that take long to compare, each sent six times, two at a time',
    run: repeat,
  },
];
