import { requireFileUrls } from '../../xapi/statement/attachments.ts';
import type { Statement } from '../../xapi/types.ts';
import { templatePlace } from './place.ts';

/** @throws InvalidError when a statement that a template makes has an attachment without a `fileUrl`. */
export function requireLinkedAttachments(statement: Statement): void {
  requireFileUrls(statement, templatePlace, 'has no fileUrl, and reactions store no data of attachments');
}
