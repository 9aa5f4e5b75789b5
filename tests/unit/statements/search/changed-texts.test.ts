import { describe, expect, it } from 'vitest';
import { changedTexts } from '../../../../lib/statements/search/changed-texts.ts';

const textOf = (response: string): string =>
  `{"actor":{"mbox":"mailto:a@x.org"},"result":{"response":"${response}","score":{"raw":1.0}}}`;
const long = textOf('x'.repeat(1_000_000));

describe('changedTexts', () => {
  it('changes the statements that are to be changed, in their order, and keeps numbers as they are', async () => {
    const statements = ['a', 'b', 'c'].map((response, position) => ({ position, text: textOf(response) }));
    const changed = await changedTexts(
      statements,
      ({ actor, ...others }) => ({ ...others, actor: { ...actor, name: 'Ann' } }),
      (text) => text !== textOf('b'),
    );
    const [first, second, third] = changed;
    expect(first?.text).toBe(
      '{"result":{"response":"a","score":{"raw":1.0}},"actor":{"mbox":"mailto:a@x.org","name":"Ann"}}',
    );
    expect(second).toBe(statements[1]);
    expect(third?.position).toBe(2);
  });

  it('lets other work run between parsing a long statement and printing it, and before the next one', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const seen: number[] = [];
    const statements = [0, 1].map((position) => ({ position, text: long }));
    await changedTexts(statements, (statement) => {
      seen.push(turns);
      return statement;
    });
    clearImmediate(next);
    const [first = 0, second = 0] = seen;
    expect(first).toBeGreaterThanOrEqual(1);
    expect(second - first).toBeGreaterThanOrEqual(2);
  });
});
