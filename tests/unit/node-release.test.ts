import { describe, expect, it } from 'vitest';
import { releaseWarnings } from '../../lib/node-release.ts';

describe('warnings about a release of Node.js', () => {
  it.each(['20.19.0', '20.20.1', '22.13.0', '22.22.1', '24.0.0', '24.14.0', '25.8.1'])(
    'names the release to use in place of %s',
    (version) => {
      const [warning, ...others] = releaseWarnings(version);
      expect(warning).toMatch(
        new RegExp(
          `^Node\\.js ${version.replaceAll('.', '\\.')} .*CVE-2026-21717.*: use ${version.slice(0, 3)}\\d`,
        ),
      );
      expect(others).toEqual([]);
    },
  );

  it.each(['20.20.2', '20.21.0', '22.22.2', '22.23.0', '24.14.1', '24.100.0', '25.8.2', '26.0.0', '27.1.0'])(
    'has none for %s',
    (version) => {
      expect(releaseWarnings(version)).toEqual([]);
    },
  );
});
