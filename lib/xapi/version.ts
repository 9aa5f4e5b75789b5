import { InvalidError } from '../errors.ts';
import type { XapiVersion } from './types.ts';

/** What a version begins with that means the same rules as the others with this beginning. */
export type MinorVersion = '1.0' | '2.0';

/** A patch version by Semantic Versioning; pre-releases and builds belong to it. */
const patch = /^(1\.0|2\.0)(?:\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)?$/;

/** The minor version that a version such as `1.0`, `1.0.3` or `1.0.3-rc.1` belongs to; undefined for any other text. */
export function minorVersionOf(version: string): MinorVersion | undefined {
  const minor = patch.exec(version)?.[1];
  return minor === '1.0' || minor === '2.0' ? minor : undefined;
}

/**
 * The rule set for a request with this `X-Experience-API-Version` header: `1.0` and every `1.0.x` mean 1.0.3, `2.0` and every
 * `2.0.x` mean 2.0.0; its name is also what the header of the answer says (xAPI 1.0.3 Communication 3.3).
 * @throws InvalidError when the header is missing, unknown, or names a version that is switched off.
 */
export function negotiateVersion(header: string | undefined, supported: readonly XapiVersion[]): XapiVersion {
  if (header === undefined) {
    throw refused(
      `The header X-Experience-API-Version is missing; this server speaks ${supported.join(' and ')}`,
      'is missing',
    );
  }
  const version = spokenVersion(header, supported);
  if (version !== undefined) return version;
  throw refused(
    `The value of X-Experience-API-Version is not a version that this server speaks, which are ${supported.join(' and ')}`,
    `must be one of ${supported.join(', ')}`,
  );
}

function refused(sentence: string, message: string): InvalidError {
  const section = 'xAPI 1.0.3 Communication 3.3';
  return new InvalidError(`${sentence} (${section}).`, {
    details: [{ path: 'X-Experience-API-Version', message, section }],
  });
}

/** The rule set that such a header names; undefined when there is none, or it is switched off. */
export function spokenVersion(
  header: string | undefined,
  supported: readonly XapiVersion[],
): XapiVersion | undefined {
  const minor = header === undefined ? undefined : minorVersionOf(header.trim());
  const version = minor && ruleSets[minor];
  return version && supported.includes(version) ? version : undefined;
}

const ruleSets: Readonly<Record<MinorVersion, XapiVersion>> = { '1.0': '1.0.3', '2.0': '2.0.0' };

/**
 * The version that an answer names to a request whose version nobody has negotiated. The one that the request names, if it is
 * spoken here. A request without a version is one of xAPI 0.9, which had no such header, and is refused as such; otherwise it
 * is the latest that the server speaks (xAPI 1.0.3 Communication 3.3).
 */
export function refusedVersion(header: string | undefined, supported: readonly XapiVersion[]): string {
  return header === undefined ? '0.9' : answeredVersion(header, supported);
}

/** The same for a resource that answers without a version too: then it is the latest. */
export function answeredVersion(header: string | undefined, supported: readonly XapiVersion[]): XapiVersion {
  return spokenVersion(header, supported) ?? latestVersion(supported);
}

export function latestVersion(supported: readonly XapiVersion[]): XapiVersion {
  return supported.includes('2.0.0') ? '2.0.0' : '1.0.3';
}
