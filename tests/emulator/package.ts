import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { packagedConfig } from '../../config/packing.ts';

/** What `serverless package` puts into the archive of the functions, as a folder. */
export interface FunctionPackage {
  readonly directory: string;
  remove(): void;
}

const root = join(import.meta.dirname, '../..');
const bundles = /^(lambda-.*|chunk-.*|password-worker)\.mjs$/;

/**
 * Unpacks the functions that `npm run build` has made, with the settings checked as a deployment does.
 * @param settings the environment of the functions
 * @param checkout where they have been built
 * @throws ConfigError
 */
export function unpackFunctions(
  settings: Readonly<Record<string, string>>,
  checkout = root,
): FunctionPackage {
  const directory = mkdtempSync(join(tmpdir(), 'lrs-lambda-'));
  const built = join(checkout, 'dist');
  cpSync(built, join(directory, 'dist'), {
    recursive: true,
    filter: (path) => {
      const inside = path.slice(built.length + 1);
      return inside === '' || bundles.test(inside) || inside.split(/[\\/]/)[0] === 'web';
    },
  });
  const packaged = packagedConfig({ env: settings, cwd: directory });
  if (packaged !== undefined) writeFileSync(join(directory, 'dist/settings.json'), JSON.stringify(packaged));
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Bytes that an archive has for each file beside its contents and twice its name. */
const entryBytes = 76 + 16;

/**
 * Bytes of the archive of a package.
 * @param counts whether a file counts, by its path in the package
 */
export function archiveSize(
  { directory }: Pick<FunctionPackage, 'directory'>,
  counts: (path: string) => boolean = () => true,
): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => counts(file.slice(directory.length + 1)))
    .map(
      (file) => deflateRawSync(readFileSync(file)).length + 2 * (file.length - directory.length) + entryBytes,
    )
    .reduce((sum, size) => sum + size, 0);
}
