import { loadConfigWithSecrets } from '../../config/config.ts';
import { processSource } from '../../config/env.ts';
import { createLogger } from '../../lib/logger.ts';
import { migrateLrs } from '../../lib/lrs.ts';

/** What a deployment invokes before requests arrive: brings the schema up to date, which functions never do themselves. */
export async function handler(): Promise<{ readonly migrated: true }> {
  const { config, secrets, warnings } = await loadConfigWithSecrets(processSource());
  const logger = createLogger(config.logger.logLevel);
  for (const warning of warnings) logger.warn(warning);
  await migrateLrs(config, secrets, logger);
  return { migrated: true };
}
