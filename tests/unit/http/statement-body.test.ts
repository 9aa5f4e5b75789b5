import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../lib/errors.ts';
import { formatStatementBody, readStatementBody } from '../../../lib/http/statement-body.ts';
import { leastProcessorTimes } from '../../support/processor-time.ts';

const hash = '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b';

/** A multipart body of parts given as their header lines and content. */
function read(...parts: [headers: string[], content: string][]) {
  const pieces = parts.map(
    ([headers, content]) => `--abc\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n${content}\r\n`,
  );
  return readStatementBody({
    contentType: 'multipart/mixed; boundary=abc',
    body: Buffer.from(`${pieces.join('')}--abc--`),
  });
}

const statements: [string[], string] = [['Content-Type: application/json'], '{}'];
const binary = ['Content-Transfer-Encoding: binary', `X-Experience-API-Hash: ${hash}`];

describe('readStatementBody', () => {
  it.each(['application/json', 'Application/JSON; charset=UTF-8'])(
    'takes %s as it is (xAPI 1.0.3 Communication 1.5.1)',
    async (contentType) => {
      const body = Buffer.from('{}');
      expect(await readStatementBody({ contentType, body })).toStrictEqual({ json: body, parts: [] });
    },
  );

  it('says that there is no body, whatever its type', async () => {
    for (const contentType of ['application/json', 'multipart/mixed; boundary=a', undefined]) {
      await expect(readStatementBody({ contentType, body: Buffer.alloc(0) })).rejects.toThrow(/has no body/);
    }
  });

  it('takes the parts of multipart/mixed apart (xAPI 1.0.3 Communication 1.5.2)', async () => {
    expect(
      await read(statements, [['Content-Type: text/plain', 'Content-Length: 1', ...binary], '1']),
    ).toStrictEqual({
      json: Buffer.from('{}'),
      parts: [{ sha2: hash, contentType: 'text/plain', content: Buffer.from('1') }],
    });
    expect(await read(statements)).toStrictEqual({ json: Buffer.from('{}'), parts: [] });
    expect((await read([['content-type:application/json;charset=utf-8'], '[]'])).json.toString()).toBe('[]');
  });

  it('takes a part without Content-Type, and without Content-Transfer-Encoding as binary (xAPI 1.0.3 Communication 1.5.2)', async () => {
    expect((await read(statements, [[`x-experience-api-hash:${hash}`], '1'])).parts).toStrictEqual([
      { sha2: hash, content: Buffer.from('1') },
    ]);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'multipart/form-data; boundary=abc',
    'application/xml',
    'application/jsonx',
  ])('refuses the content type %j (xAPI 1.0.3 Communication 1.5)', async (contentType) => {
    await expect(readStatementBody({ contentType, body: Buffer.from('--abc--') })).rejects.toThrow(
      InvalidError,
    );
  });

  it.each<[string, Parameters<typeof read>, string]>([
    ['no parts', [], 'Part 1'],
    ['a first part of another type', [[['Content-Type: text/plain'], '{}']], 'Part 1'],
    ['a first part without a type', [[[], '{}']], 'Part 1'],
    [
      'statements in a second part',
      [statements, statements],
      'Part 2 of the multipart body must have the header X-Experience-API-Hash',
    ],
    ['an empty hash', [statements, [['X-Experience-API-Hash: '], '1']], 'Part 2'],
    [
      'another encoding',
      [statements, [[...binary.slice(1), 'Content-Transfer-Encoding: base64'], 'MQ==']],
      'Part 2 of the multipart body must have the header Content-Transfer-Encoding "binary"',
    ],
    [
      'a wrong Content-Length',
      [statements, [[...binary, 'Content-Length: 2'], '1']],
      'Part 2 of the multipart body must be as long',
    ],
  ])('refuses %s (xAPI 1.0.3 Communication 1.5.2)', async (_title, parts, message) => {
    await expect(read(...parts)).rejects.toThrow(InvalidError);
    await expect(read(...parts)).rejects.toThrow(message);
  });
});

describe('formatStatementBody', () => {
  it('is undone by readStatementBody', async () => {
    const parts = [{ sha2: hash, contentType: 'image/png', content: Buffer.from([0, 255, 13, 10]) }];
    expect(await readStatementBody(await formatStatementBody('{"statements":[]}', parts))).toStrictEqual({
      json: Buffer.from('{"statements":[]}'),
      parts,
    });
  });

  it('writes hashes as the statements do', async () => {
    const part = { sha2: hash, contentType: 'text/plain', content: Buffer.from('1') };
    const upper = `{"attachments":[{"sha2":"${hash.toUpperCase()}"}]}`;
    const { parts } = await readStatementBody(await formatStatementBody(upper, [part]));
    expect(parts).toMatchObject([{ sha2: hash.toUpperCase() }]);
    const lower = await readStatementBody(await formatStatementBody(upper.toLowerCase(), [part]));
    expect(lower.parts).toMatchObject([{ sha2: hash }]);
  });

  it('writes a hash in lower case when one of several statements does', async () => {
    const part = { sha2: hash, contentType: 'text/plain', content: Buffer.from('1') };
    const mixed = `[{"sha2":"${hash.toUpperCase()}"},{"sha2": "${hash}"},{"sha2":"${hash.toUpperCase()}"}]`;
    expect((await readStatementBody(await formatStatementBody(mixed, [part]))).parts).toMatchObject([
      { sha2: hash },
    ]);
  });

  it('looks through the statements once, however many attachments there are', async () => {
    const json = `["${'A'.repeat(2_000_000)}","${hash.toUpperCase()}"]`;
    const formatting = (count: number) => {
      const attachments = Array.from({ length: count }, (_, index) => ({
        sha2: index.toString(16).padStart(64, 'a'),
        contentType: 'text/plain',
        content: Buffer.from('1'),
      }));
      return () => formatStatementBody(json, attachments);
    };
    const [one = 0, many] = await leastProcessorTimes(formatting(1), formatting(1000));
    expect(many).toBeLessThan(100 * Math.max(1, one));
  });
});
