import { builtinModules, createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

const require = createRequire(import.meta.url);

/** @param {string} name of a module of Node.js, without `node:`. */
const isPlainObject = (name) => {
  const module = require(name);
  return typeof module === 'object' && Object.getPrototypeOf(module) === Object.prototype;
};

/**
 * A module of Node.js is loaded when something of it is used. An `import` of it would load it when a bundle is loaded, together
 * with what each of its members needs: that of `node:fs` alone takes some milliseconds of a cold start.
 * @type {import('esbuild').Plugin}
 */
export const builtinsOnUse = {
  name: 'builtins-on-use',
  setup(build) {
    const names = builtinModules.filter((name) => !name.startsWith('_')).join('|');
    build.onResolve({ filter: new RegExp(`^(node:)?(${names})$`) }, ({ path, kind }) => ({
      path: path.replace(/^node:/, ''),
      namespace: kind === 'require-call' ? 'builtin' : 'builtin-on-use',
    }));
    const load = (name) => `process.getBuiltinModule(${JSON.stringify(name)})`;
    const whole = ({ path }) => ({ contents: `module.exports = ${load(path)};` });
    // Packages in CommonJS form load it without its exports' needs anyway, and some of them change it.
    build.onLoad({ filter: /./, namespace: 'builtin' }, whole);
    build.onLoad({ filter: /./, namespace: 'builtin-on-use' }, ({ path }) => {
      // A function or the instance of a class can't be replaced by an object with the same members.
      if (!isPlainObject(path)) return whole({ path });
      const members = JSON.stringify(Object.keys(require(path)));
      return {
        contents: `let loaded;
          for (const name of ${members})
            Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= ${load(path)})[name] });`,
      };
    });
  },
};

/**
 * Has the entries, and each source that is imported on demand, import a core first. For esbuild all of them share it then, so that it
 * becomes one file: to load dozens of small ones takes longer than what is in them.
 * @param {{ core: string, entries: readonly string[] }} files source files, relative to the root.
 * @returns {import('esbuild').Plugin}
 */
export function coreFirst({ core, entries }) {
  return {
    name: 'core-first',
    setup(build) {
      const { absWorkingDir: root = '.' } = build.initialOptions;
      const afterCore = new Set(entries.map((entry) => resolve(root, entry)));
      build.onResolve({ filter: /\.ts$/ }, (imported) => {
        const path = resolve(imported.resolveDir, imported.path);
        const { kind } = imported;
        const follows = kind === 'dynamic-import' || (kind === 'entry-point' && afterCore.has(path));
        return follows ? { path, namespace: 'after-core' } : undefined;
      });
      build.onLoad({ filter: /./, namespace: 'after-core' }, ({ path }) => ({
        contents: `import ${JSON.stringify(resolve(root, core))}; export * from ${JSON.stringify(path)};`,
        resolveDir: dirname(path),
      }));
    },
  };
}
