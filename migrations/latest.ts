/** The oldest step of the schema: every database of a release has it, and none of a development build. */
export const firstMigration = '0001-first-release';

/** The newest step of the schema, for functions, which load no migrations. */
export const latestMigration = '0009-firing-lookups';
