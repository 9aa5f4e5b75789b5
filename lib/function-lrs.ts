import type { Config, Secrets } from '../config/types.ts';
import type { BackgroundOutcome } from './background/background.ts';
import { databaseOptions } from './database-options.ts';
import { openFunctionDatabase } from './db/function-database.ts';
import { createReadiness } from './db/readiness.ts';
import type { Database } from './db/types.ts';
import type { Logger } from './logger.ts';
import type { Lrs } from './lrs.ts';
import { createServices } from './services.ts';

/** The LRS of a function, which may be frozen for ever after each of its answers. */
export interface FunctionLrs {
  readonly lrs: Lrs;
  /** Does some of what no request waits for, until a deadline (milliseconds since the epoch). */
  runBackground(deadline: number): Promise<Readonly<Record<string, BackgroundOutcome>>>;
  /** To be called when a request has been answered: ends what still runs. */
  abandonUnfinished(): void;
}

/**
 * Opens the LRS for a function: it changes no schema, and leaves what is to be done from time to time to the background
 * function.
 * @throws UnavailableError
 */
export async function openFunctionLrs(
  config: Config,
  secrets: Secrets,
  logger: Logger,
): Promise<FunctionLrs> {
  const { db, secret, abandonUnfinished } = await openFunctionDatabase(
    databaseOptions(config, secrets),
    logger,
  );
  try {
    const services = await createServices(db, { config, secrets, logger, secret, upkeep: false });
    // Of a database in memory nobody else can have made the first account.
    if (config.database.dbName === ':memory:') await services.accounts.bootstrap();
    const knownConsistentThrough = () => services.statements.knownConsistentThrough();
    const close = () => db.close();
    const readiness = createReadiness(db);
    const lrs = { config, logger, knownConsistentThrough, ...services, readiness, close };
    return { lrs, abandonUnfinished, runBackground: (deadline) => background(db, lrs, deadline) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Its modules are loaded when it runs: other functions do without them. */
async function background(db: Database, { logger, erasure, feed, attachments }: Lrs, deadline: number) {
  const [{ runBackground }, { backgroundTasks }] = await Promise.all([
    import('./background/background.ts'),
    import('./background/tasks.ts'),
  ]);
  const tasks = backgroundTasks(db, { erasure, feed, attachments });
  return runBackground({ db, logger, tasks }, deadline);
}
