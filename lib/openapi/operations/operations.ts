import { accountOperations } from './accounts.ts';
import { attachmentOperations } from './attachments.ts';
import { auditOperations } from './audit.ts';
import { browseOperations } from './browse.ts';
import { credentialOperations } from './credentials.ts';
import { documentOperations } from './documents.ts';
import { exportOperations } from './export.ts';
import { reactionOperations } from './reactions.ts';
import { screenOperations } from './screen.ts';
import { serverOperations } from './server.ts';
import { statementOperations } from './statements.ts';
import { storeOperations } from './store.ts';
import { storeListOperations } from './stores.ts';

/** What every handler does, as clients see it, by the name of the handler. */
export const operations = {
  ...statementOperations,
  ...attachmentOperations,
  ...documentOperations,
  ...accountOperations,
  ...credentialOperations,
  ...auditOperations,
  ...storeOperations,
  ...exportOperations,
  ...browseOperations,
  ...reactionOperations,
  ...storeListOperations,
  ...screenOperations,
  ...serverOperations,
};
