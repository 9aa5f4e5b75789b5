import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the hash of sources changes with names and contents of the files that count, and not with their times', async () => {
  const project = mkdtempSync(join(tmpdir(), 'sources-'));
  try {
    cpSync(join(import.meta.dirname, '../../../scripts'), join(project, 'scripts'), { recursive: true });
    mkdirSync(join(project, 'lib'));
    const put = (name: string, text: string) => writeFileSync(join(project, name), text);
    put('lib/one.ts', '1');
    put('package.json', '{}');
    const { sourcesHash } = await import(join(project, 'scripts/sources-hash.mjs'));
    const hash = (): Promise<string> =>
      sourcesHash({ folders: ['lib'], files: ['package.json'], kind: /\.ts$/ });
    const before = await hash();
    utimesSync(join(project, 'lib/one.ts'), 1, 1);
    put('lib/settings.json', '{}');
    expect(await hash()).toBe(before);
    const seen = new Set([before]);
    for (const [name, text] of [
      ['lib/one.ts', '2'],
      ['lib/two.ts', ''],
      ['package.json', '[]'],
    ] as const) {
      put(name, text);
      seen.add(await hash());
    }
    expect(seen.size).toBe(4);
  } finally {
    rmSync(project, { recursive: true });
  }
});
