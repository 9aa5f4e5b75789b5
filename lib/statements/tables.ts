import type { TableShape } from '../db/types.ts';

/** The columns that a new row is given, in the order of its values; migrations/0001-first-release/statements.ts says what they hold. */
export const statementTable = {
  name: 'statement',
  columns: {
    position: 'position',
    id: 'uuid',
    voided: 'integer',
    verb: 'text',
    actor: 'text',
    object: 'text',
    registration: 'uuid',
    timestamp: 'text',
    payload: 'document',
  },
} as const satisfies TableShape;

export const statementKeyTable = {
  name: 'statement_key',
  columns: { search_key: 'key', position: 'position', fingerprint: 'integer' },
} as const satisfies TableShape;

export const statementReferenceTable = {
  name: 'statement_reference',
  columns: {
    position: 'integer',
    id: 'uuid',
    target: 'uuid',
    voids: 'integer',
    search_keys: 'hex',
    authority_key: 'hex',
    foreign_keys: 'hex',
  },
} as const satisfies TableShape;

export const pendingReferenceTable = {
  name: 'reference_pending',
  columns: { target: 'uuid', step: 'integer', referrers_through: 'integer', voiders_through: 'integer' },
} as const satisfies TableShape;

export const attachmentTable = {
  name: 'attachment',
  columns: { sha2: 'text', length: 'integer', content: 'content' },
} as const satisfies TableShape;

export const statementAttachmentTable = {
  name: 'statement_attachment',
  columns: { position: 'position', sha2: 'text', content_type: 'text' },
} as const satisfies TableShape;
