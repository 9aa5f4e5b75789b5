import {
  attachment,
  referencePending,
  statement,
  statementAttachment,
  statementKey,
  statementReference,
} from '../db/tables/statements.ts';
import { rowsOf } from '../db/tables/table.ts';

/* The rows that are inserted. */

export const statementTable = rowsOf(statement);
export const statementKeyTable = rowsOf(statementKey);
export const statementReferenceTable = rowsOf(statementReference);
export const pendingReferenceTable = rowsOf(referencePending);
export const attachmentTable = rowsOf(attachment);
export const statementAttachmentTable = rowsOf(statementAttachment);
