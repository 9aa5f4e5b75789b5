import { limits } from './limits.ts';
import { list, objectOf, statementText } from './texts.ts';

/** Of one list or object, and of a whole statement, besides what every statement has. */
const mostEntries = limits.stmtMaxEntries - 10;
const mostValues = limits.stmtMaxValues - 50;

/** A statement that grows with a number. */
interface Giant {
  /** The number with which it is about as large as a request may be. */
  readonly whole: number;
  /** The largest number that the limits of one statement let through (`stmtMaxBytes`, `stmtMaxValues`, `stmtMaxEntries`). */
  readonly permitted: number;
  readonly text: (count: number) => string;
}

function inResult(extension: string): string {
  return statementText({ result: `{"extensions":{"http://x.org/e":${extension}}}` });
}

function group(count: number, member: (index: number) => string): string {
  return `{"objectType":"Group","member":[${list(count, member)}]}`;
}

function interaction(rest: string): string {
  return statementText({
    object: `{"id":"http://x.org/a","definition":{"interactionType":"choice","type":"http://adlnet.gov/expapi/activities/cmi.interaction",${rest}}}`,
  });
}

const numbered = (index: number): string => `{"mbox":"mailto:m${index}@x.org"}`;

/** Long lists and objects. */
const lists: Readonly<Record<string, Giant>> = {
  members: {
    whole: 230_000,
    permitted: mostEntries,
    text: (count) => statementText({ actor: group(count, numbered) }),
  },
  'equal members': {
    whole: 300_000,
    permitted: mostEntries,
    text: (count) => statementText({ actor: group(count, () => '{"mbox":"mailto:m@x.org"}') }),
  },
  'long members': {
    whole: 24_000,
    permitted: mostEntries,
    text: (count) =>
      statementText({
        actor: group(
          count,
          (index) => `{"account":{"homePage":"http://x.org/${'p'.repeat(300)}","name":"${index}"}}`,
        ),
      }),
  },
  'unknown properties': {
    whole: 700_000,
    permitted: mostEntries,
    text: (count) => `{${list(count, (index) => `"p${index}":1`)},${statementText().slice(1)}`,
  },
  'unknown properties of the actor': {
    whole: 700_000,
    permitted: mostEntries,
    text: (count) =>
      statementText({ actor: `{"mbox":"mailto:a@x.org",${list(count, (index) => `"p${index}":1`)}}` }),
  },
  'equal names': {
    whole: 1_000_000,
    permitted: mostEntries,
    text: (count) => `{${list(count, () => '"id":1')},${statementText().slice(1)}`,
  },
  'context activities': {
    whole: 250_000,
    permitted: Math.floor(mostValues * 0.4),
    text: (count) => {
      const activities = list(count / 4, (index) => `{"id":"http://x.org/${index}"}`);
      const kinds = ['parent', 'grouping', 'category', 'other'].map((kind) => `"${kind}":[${activities}]`);
      return statementText({ context: `{"contextActivities":{${kinds.join(',')}}}` });
    },
  },
  'context agents': {
    whole: 100_000,
    permitted: mostEntries,
    text: (count) =>
      statementText({
        context: `{"contextAgents":[${list(count, (index) => `{"objectType":"contextAgent","agent":${numbered(index)}}`)}]}`,
      }),
  },
  'language map': {
    whole: 400_000,
    permitted: mostEntries,
    text: (count) =>
      statementText({
        verb: `{"id":"http://x.org/v","display":${objectOf(count, (index) => `"x-${index.toString(36)}":"a"`)}}`,
      }),
  },
  'interaction choices': {
    whole: 200_000,
    permitted: mostEntries,
    text: (count) =>
      interaction(
        `"choices":[${list(count, (index) => `{"id":"c${index}","description":{"en":"${index}"}}`)}]`,
      ),
  },
  'correct responses': {
    whole: 800_000,
    permitted: mostEntries,
    text: (count) => interaction(`"correctResponsesPattern":[${list(count, (index) => `"c${index}"`)}]`),
  },
  extensions: {
    whole: 350_000,
    permitted: mostEntries,
    text: (count) =>
      statementText({ result: `{"extensions":${objectOf(count, (index) => `"http://x.org/${index}":1`)}}` }),
  },
  'nested extensions': {
    whole: 80_000,
    permitted: Math.floor(mostValues / 58),
    text: (count) => inResult(`[${list(count, () => `${'['.repeat(55)}1${']'.repeat(55)}`)}]`),
  },
  'objects in objects': {
    whole: 100_000,
    permitted: Math.floor(mostValues / 6),
    text: (count) =>
      inResult(
        objectOf(count / 100, (index) => `"o${index}":${objectOf(100, (inner) => `"n${inner}":[1,{}]`)}`),
      ),
  },
  'empty arrays': {
    whole: 3_000_000,
    permitted: mostEntries,
    text: (count) => inResult(`[${list(count, () => '[]')}]`),
  },
  numbers: {
    whole: 4_000_000,
    permitted: mostEntries,
    text: (count) => inResult(`[${list(count, () => '1')}]`),
  },
  'members of a SubStatement': {
    whole: 200_000,
    permitted: mostEntries,
    text: (count) =>
      statementText({
        object: `{"objectType":"SubStatement",${statementText({ actor: group(count, numbered) }).slice(1)}`,
      }),
  },
  'attachments by address': {
    whole: 45_000,
    permitted: Math.floor(mostValues / 8.5),
    text: (count) =>
      statementText({
        attachments: `[${list(count, (index) => `{"usageType":"http://x.org/u","display":{"en":"a"},"contentType":"a/b","length":1,"sha2":"${index.toString(16).padStart(64, '0')}","fileUrl":"http://x.org/f"}`)}]`,
      }),
  },
};

/** Long texts: the number is that of characters. */
function long(text: (characters: (piece: string) => string) => string): Giant {
  return {
    whole: 9_400_000,
    permitted: limits.stmtMaxBytes - 2_000,
    text: (count) => text((piece) => piece.repeat(Math.floor(count / piece.length))),
  };
}

const texts: Readonly<Record<string, Giant>> = {
  'long number': long((of) => statementText({ result: `{"score":{"raw":${of('1')}}}` })),
  'long fraction': long((of) => statementText({ result: `{"score":{"raw":0.${of('1')}}}` })),
  'long zeros': long((of) => statementText({ result: `{"score":{"raw":1${of('0')}.0}}` })),
  'long string': long((of) => statementText({ result: `{"response":"${of('x')}"}` })),
  escapes: long((of) => statementText({ result: `{"response":"${of('\\u0041')}"}` })),
  'surrogate escapes': long((of) => statementText({ result: `{"response":"${of('\\ud83d\\ude00')}"}` })),
  backslashes: long((of) => statementText({ result: `{"response":"${of('\\\\')}"}` })),
  'long IRI': long((of) => statementText({ verb: `{"id":"http://x.org/${of('%41')}"}` })),
  'long host': long((of) => statementText({ verb: `{"id":"http://${of('a.')}org/"}` })),
  'long mbox': long((of) => statementText({ actor: `{"mbox":"mailto:${of('a.')}@x.org"}` })),
  'long domain': long((of) => statementText({ actor: `{"mbox":"mailto:a@${of('a-')}.org"}` })),
  'long account': long((of) =>
    statementText({ actor: `{"account":{"homePage":"http://x.org","name":"${of('n')}"}}` }),
  ),
  'long name': long((of) => statementText({ actor: `{"mbox":"mailto:a@x.org","name":"${of('n')}"}` })),
  'long language tag': long((of) =>
    statementText({ verb: `{"id":"http://x.org/v","display":{"${of('en-')}US":"a"}}` }),
  ),
  'long timestamp': long((of) => statementText({ timestamp: `"2020-01-01T00:00:00.${of('0')}Z"` })),
  'long duration': long((of) => statementText({ result: `{"duration":"PT${of('1')}.5S"}` })),
  'long media type': long((of) =>
    statementText({
      attachments: `[{"usageType":"http://x.org/u","display":{"en":"a"},"contentType":"a/${of('b;c=d;')}","length":1,"sha2":"${'0'.repeat(64)}","fileUrl":"http://x.org/f"}]`,
    }),
  ),
  'long version': long((of) => statementText({ version: `"1.0.${of('0')}"` })),
  'long property': long((of) => `{"${of('p')}":1,${statementText().slice(1)}`),
  'long extension': long((of) => statementText({ result: `{"extensions":{"http://x.org/${of('e')}":1}}` })),
  blanks: long((of) => `${of(' ')}${statementText()}`),
  brackets: long((of) => of('[')),
  quotes: long((of) => of('"')),
};

/** By kind: statements that are as large as they can be in one way. */
export const giants: Readonly<Record<string, Giant>> = { ...lists, ...texts };
