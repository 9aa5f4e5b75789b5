/**
 * What every handler does, as clients see it, by the name of the handler. To load all parts takes tens of milliseconds, because
 * each translates its schemas; they are loaded one after another, and other requests are answered in between.
 */
export async function loadOperations() {
  return {
    ...(await import('./statements.ts')).statementOperations,
    ...(await import('./attachments.ts')).attachmentOperations,
    ...(await import('./documents.ts')).documentOperations,
    ...(await import('./accounts.ts')).accountOperations,
    ...(await import('./credentials.ts')).credentialOperations,
    ...(await import('./audit.ts')).auditOperations,
    ...(await import('./store.ts')).storeOperations,
    ...(await import('./export.ts')).exportOperations,
    ...(await import('./browse.ts')).browseOperations,
    ...(await import('./reactions.ts')).reactionOperations,
    ...(await import('./stores.ts')).storeListOperations,
    ...(await import('./screen.ts')).screenOperations,
    ...(await import('./server.ts')).serverOperations,
  };
}
