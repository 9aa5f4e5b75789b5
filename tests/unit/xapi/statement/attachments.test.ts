import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { InvalidError } from '../../../../lib/errors.ts';
import {
  AttachmentMatcher,
  type AttachmentPart,
  attachmentsOf,
} from '../../../../lib/xapi/statement/attachments.ts';
import type { Attachment, Statement } from '../../../../lib/xapi/types.ts';

const base: Statement = {
  actor: { mbox: 'mailto:a@x.org' },
  verb: { id: 'http://x.org/verb' },
  object: { id: 'http://x.org/activity' },
};

function hash(content: string, algorithm = 'sha256'): string {
  return createHash(algorithm).update(content).digest('hex');
}

function attachment(content: string, properties: Partial<Attachment> = {}): Attachment {
  return {
    usageType: 'http://x.org/usage',
    display: { en: 'A text' },
    contentType: 'text/plain; charset=utf-8',
    length: Buffer.byteLength(content),
    sha2: hash(content),
    ...properties,
  };
}

function part(content: string, properties: Partial<AttachmentPart> = {}): AttachmentPart {
  return { sha2: hash(content), contentType: 'text/plain', content: Buffer.from(content), ...properties };
}

function statement(...attachments: Attachment[]): Statement {
  return { ...base, attachments };
}

function withSubStatement(...attachments: Attachment[]): Statement {
  return {
    ...base,
    object: { objectType: 'SubStatement', ...base, object: { id: 'http://x.org/a' }, attachments },
  };
}

describe('attachmentsOf', () => {
  it('gives those of the statement, then those of its SubStatement', () => {
    const [one, two] = [attachment('1'), attachment('2')];
    expect(attachmentsOf(base)).toStrictEqual([]);
    expect(attachmentsOf({ ...withSubStatement(two), attachments: [one] })).toStrictEqual([one, two]);
  });
});

function matchAttachments(
  statements: readonly Statement[],
  parts: readonly AttachmentPart[],
): Required<AttachmentPart>[] {
  const matcher = new AttachmentMatcher();
  for (const part of parts) matcher.addPart(part);
  for (const [index, statement] of statements.entries()) {
    matcher.addStatement(statement, statements.length === 1 ? 'statement' : `statements[${index}]`);
  }
  return matcher.matched();
}

describe('AttachmentMatcher', () => {
  it('gives each content once, with its hash in lower case (xAPI 1.0.3 Communication 1.5.2)', () => {
    const upper = attachment('1', { sha2: hash('1').toUpperCase() });
    const parts = [part('2'), part('1'), part('1', { sha2: hash('1').toUpperCase() })];
    expect(
      matchAttachments([statement(upper, attachment('1')), withSubStatement(attachment('2'))], parts),
    ).toStrictEqual([part('1'), part('2')]);
  });

  it('takes nothing for nothing', () => {
    expect(matchAttachments([base], [])).toStrictEqual([]);
  });

  it.each(['sha224', 'sha256', 'sha384', 'sha512'])('verifies %s', (algorithm) => {
    const sha2 = hash('1', algorithm);
    expect(matchAttachments([statement(attachment('1', { sha2 }))], [part('1', { sha2 })])).toHaveLength(1);
    expect(() => matchAttachments([statement(attachment('1', { sha2 }))], [part('2', { sha2 })])).toThrow(
      `the hash ${sha2} has content with another hash`,
    );
  });

  it('takes an attachment with a fileUrl with or without its part', () => {
    const described = statement(attachment('1', { fileUrl: 'http://x.org/file' }));
    expect(matchAttachments([described], [])).toStrictEqual([]);
    expect(matchAttachments([described], [part('1')])).toStrictEqual([part('1')]);
  });

  it('takes the content type of the attachment for a part without one', () => {
    const { contentType: _none, ...untyped } = part('1');
    expect(matchAttachments([statement(attachment('1'))], [untyped])).toStrictEqual([
      part('1', { contentType: 'text/plain; charset=utf-8' }),
    ]);
  });

  it('takes a length that counts what hex digits stand for, as the conformance suite sends it', () => {
    expect(matchAttachments([statement(attachment('00fF', { length: 2 }))], [part('00fF')])).toHaveLength(1);
    expect(() => matchAttachments([statement(attachment('00fg', { length: 2 }))], [part('00fg')])).toThrow(
      InvalidError,
    );
  });

  it('looks once at the digits of a content that many attachments name', () => {
    const hex = part('00fF');
    let reads = 0;
    hex.content.toString = (...options) => {
      reads += 1;
      return Buffer.from('00fF').toString(...options);
    };
    const described = Array.from({ length: 100 }, () => attachment('00fF', { length: 2 }));
    expect(matchAttachments([statement(...described)], [hex])).toHaveLength(1);
    expect(reads).toBe(1);
  });

  it('takes, of the parts with one content, the first whose type is that of the attachment or that has none', () => {
    const typed = (contentType: string) => part('1', { contentType });
    const { contentType: _none, ...untyped } = part('1');
    const described = statement(attachment('1'));
    const chosen = (...parts: AttachmentPart[]) => matchAttachments([described], parts)[0]?.contentType;
    expect(chosen(typed('text/html'), typed('text/plain;a=1'), typed('text/plain;a=2'))).toBe(
      'text/plain;a=1',
    );
    expect(chosen(typed('text/html'), untyped, typed('text/plain'))).toBe('text/plain; charset=utf-8');
    expect(chosen(typed('Text/Plain'), untyped)).toBe('Text/Plain');
    expect(() => chosen(typed('text/html'))).toThrow('another contentType');
  });

  const file = { fileUrl: 'http://x.org/file' };
  it.each<[string, Statement[], AttachmentPart[], string, string]>([
    [
      'an attachment without part or fileUrl',
      [statement(attachment('1'))],
      [],
      'neither a fileUrl nor a part',
      'statement.attachments[0]',
    ],
    [
      'one in a SubStatement of a batch',
      [base, withSubStatement(attachment('1', file), attachment('2'))],
      [],
      'neither a fileUrl nor a part',
      'statements[1].object.attachments[1]',
    ],
    [
      'a part that no statement describes',
      [statement(attachment('1'))],
      [part('1'), part('2')],
      `${hash('2')} is not described`,
      'parts',
    ],
    ['a part for statements without attachments', [base], [part('1')], 'is not described', 'parts'],
    [
      'another length',
      [statement(attachment('12', { length: 3 }))],
      [part('12')],
      'length 3, but its part has 2',
      'statement.attachments[0]',
    ],
    [
      'another length in spite of a fileUrl',
      [statement(attachment('1', { ...file, length: 2 }))],
      [part('1')],
      'length 2, but its part has 1',
      'statement.attachments[0]',
    ],
    [
      'another content type',
      [statement(attachment('1'))],
      [part('1', { contentType: 'image/png' })],
      'another contentType',
      'statement.attachments[0]',
    ],
    [
      'a hash of unknown kind',
      [statement(attachment('1'))],
      [part('1', { sha2: 'abc' })],
      'SHA-512',
      'parts',
    ],
  ])('refuses %s (xAPI 1.0.3 Communication 1.5.2)', (_title, statements, parts, message, path) => {
    const match = () => matchAttachments(statements, parts);
    expect(match).toThrow(InvalidError);
    expect(match).toThrow(message);
    expect(match).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path, section: expect.any(String) })] }),
    );
  });
});
