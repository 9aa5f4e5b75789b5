/** Major version → the first release of it that hashes texts of digits unpredictably. */
const firstMended: Readonly<Record<number, string>> = {
  20: '20.20.2',
  22: '22.22.2',
  24: '24.14.1',
  25: '25.8.2',
};

/**
 * What is known to be wrong with a release of Node.js, a sentence each: before 24 March 2026, V8 hashed texts of digits
 * predictably (CVE-2026-21717), so that a client that may write can stop the event loop for seconds. Distributions may have
 * mended a release without changing its number, which can't be seen here.
 * @param version e.g. `20.19.0`
 */
export function releaseWarnings(version: string): readonly string[] {
  const mended = firstMended[Number.parseInt(version, 10)];
  if (mended === undefined || version.localeCompare(mended, 'en', { numeric: true }) >= 0) return [];
  return [
    `Node.js ${version} lets a client that may write stop the server for seconds (CVE-2026-21717): use ${mended} or newer, unless the packager of this one has mended it.`,
  ];
}
