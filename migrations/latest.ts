/** The newest step of the schema, for functions, which load no migrations. */
export const latestMigration = '0029-feed-events';
