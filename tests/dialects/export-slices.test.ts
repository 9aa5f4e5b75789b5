import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openJsonExport } from '../../lib/export/json-export.ts';
import { engines } from '../support/engines.ts';
import { batchOf, statement } from '../support/statements.ts';
import { createStore, linesOf, type TestStore } from '../support/transfer.ts';

/** Characters that are passed on at once: what is collected for one piece, and the slice that completes it. */
const longestPiece = (256 + 64) * 1024 + 1;

describe.each(engines)('an export of everything on $name that has long lines', (engine) => {
  let from: TestStore;
  const content = randomBytes(9_000_001);
  const attachment = randomBytes(4_000_001);
  /** Characters of two code units, which no slice may cut. */
  const response = `a${'🎓'.repeat(400_000)}`;

  beforeEach(async () => {
    from = await createStore(engine);
    const { documents, statements } = from.store.services;
    const address = {
      kind: 'activities/state',
      activity: 'https://example.org/activities/a',
      agent: 'mbox::mailto:ann@example.org',
      registration: undefined,
      id: 'large',
    } as const;
    const contentType = 'application/octet-stream';
    await documents.put(address, { contentType, content }, { version: '1.0.3', conditions: {} });
    const sha2 = createHash('sha256').update(attachment).digest('hex');
    const carried = {
      ...{ usageType: 'https://example.org/file', display: { en: 'File' }, contentType },
      ...{ length: attachment.length, sha2 },
    };
    await statements.store(
      batchOf([statement({ result: { response }, attachments: [carried] })], {
        attachments: [{ sha2, contentType, content: attachment }],
      }),
    );
  });
  afterEach(() => from.remove());

  it('passes them on in slices, between which the event loop turns', async () => {
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    const { services, db } = from.store;
    const sources = { ...services, contents: from.store.services.contents };
    const { lines } = await openJsonExport(db, sources, { contents: 'everything', gzip: false }, []);
    const lengths: number[] = [];
    const turnsBetween: number[] = [];
    for await (const piece of lines) {
      lengths.push(piece.length);
      turnsBetween.push(turns);
      turns = 0;
    }
    clearImmediate(next);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longestPiece);
    expect(lengths.length).toBeGreaterThan((content.length + attachment.length) / longestPiece);
    expect(Math.min(...turnsBetween)).toBeGreaterThan(0);
  });

  it('has the contents and texts as they are stored', async () => {
    const lines = (await linesOf(from.store)).map((line) => JSON.parse(line));
    const document = lines.find((line) => 'document' in line)?.document;
    expect(content.equals(Buffer.from(document.content, 'base64'))).toBe(true);
    const parts = lines.flatMap((line) => ('content' in line ? [line.content] : []));
    expect(parts.map(({ more }) => more)).toEqual([true, undefined]);
    const whole = Buffer.concat(parts.map(({ data }) => Buffer.from(data, 'base64')));
    expect(attachment.equals(whole)).toBe(true);
    const stored = lines.find((line) => 'statement' in line)?.statement;
    expect(stored.result.response === response).toBe(true);
    expect(lines.at(-1)).toMatchObject({ end: { documents: 1, contents: 1, statements: 1 } });
  });
});
