import { InvalidError } from '../errors.ts';
import type { XapiVersion } from './types.ts';

/**
 * The rule set for a request with this `X-Experience-API-Version` header: `1.0` and every `1.0.x` mean 1.0.3, `2.0` and every
 * `2.0.x` mean 2.0.0; its name is also what the header of the answer says (xAPI 1.0.3 Communication 3.3).
 * @throws InvalidError when the header is missing, unknown, or names a version that is switched off.
 */
export function negotiateVersion(header: string | undefined, supported: readonly XapiVersion[]): XapiVersion {
  if (header === undefined) {
    throw new InvalidError(
      `The header X-Experience-API-Version is missing; this server speaks ${supported.join(' and ')} (xAPI 1.0.3 Communication 3.3).`,
    );
  }
  const version = ruleSet(header);
  if (version !== undefined && supported.includes(version)) return version;
  throw new InvalidError(
    `The value of X-Experience-API-Version is not a version that this server speaks, which are ${supported.join(' and ')} (xAPI 1.0.3 Communication 3.3).`,
  );
}

/**
 * The version that a refusal names when none was negotiated. A request without a version is one of xAPI 0.9, which had no
 * such header, and is refused as such; otherwise it is the latest that the server speaks (xAPI 1.0.3 Communication 3.3).
 */
export function refusedVersion(header: string | undefined, supported: readonly XapiVersion[]): string {
  return header === undefined ? '0.9' : latestVersion(supported);
}

export function latestVersion(supported: readonly XapiVersion[]): XapiVersion {
  return supported.includes('2.0.0') ? '2.0.0' : '1.0.3';
}

const patch = /^(1\.0|2\.0)(?:\.\d+)?$/;

function ruleSet(header: string): XapiVersion | undefined {
  const minor = patch.exec(header.trim())?.[1];
  if (minor === undefined) return undefined;
  return minor === '1.0' ? '1.0.3' : '2.0.0';
}
