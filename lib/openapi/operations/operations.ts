import { accountOperations } from './accounts.ts';
import { auditOperations } from './audit.ts';
import { credentialOperations } from './credentials.ts';
import { directoryOperations } from './directory.ts';
import { documentOperations } from './documents.ts';
import { screenOperations } from './screen.ts';
import { serverOperations } from './server.ts';
import { statementOperations } from './statements.ts';
import { storeOperations } from './store.ts';

/** What every handler does, as clients see it, by the name of the handler. */
export const operations = {
  ...statementOperations,
  ...documentOperations,
  ...accountOperations,
  ...credentialOperations,
  ...auditOperations,
  ...storeOperations,
  ...directoryOperations,
  ...screenOperations,
  ...serverOperations,
};
