import type { TableShape } from '../db/types.ts';

/** The columns of a document in the order of a row's values; migrations/0001-first-release/mentions.ts says what they hold. */
export const documentTable = {
  name: 'document',
  columns: {
    document_key: 'hex',
    collection_key: 'hex',
    kind: 'text',
    activity: 'text',
    agent: 'text',
    registration: 'uuid',
    id: 'text',
    content_type: 'text',
    etag: 'text',
    updated: 'integer',
    content: 'content',
  },
} as const satisfies TableShape;
