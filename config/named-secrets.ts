import { claimsReference } from '../lib/aws/secret-reference.ts';
import type { ConfigSource, LoadedConfig } from './config.ts';

/**
 * The configuration with the secrets that are named by an ARN, read anew only if one is: what needs no secret waits for none, and
 * does not load what checks settings.
 * @throws ConfigError
 */
export async function withNamedSecrets(loaded: LoadedConfig, source: ConfigSource): Promise<LoadedConfig> {
  const isNamed = Object.values(loaded.secrets).some(
    (secret) => typeof secret === 'string' && claimsReference(secret),
  );
  if (!isNamed) return loaded;
  const { loadConfigWithSecrets } = await import('./config.ts');
  return loadConfigWithSecrets(source);
}
