import { join } from 'node:path';
import { build } from 'esbuild';
import { common, workerEntries } from '../scripts/build.mjs';

const root = join(import.meta.dirname, '..');

/** What stands for a module in a server that has no telemetry: the same exports, which do nothing. */
const replaced: Readonly<Record<string, string>> = {
  'lib/telemetry/measure.ts': `
    export const measureInto = () => {};
    export const isMeasured = () => false;
    export const startOfMeasurement = () => 0;
    export const requestBegan = () => {};
    export const requestEnded = () => {};
    export const refused = () => {};
    export const groupCommitted = () => {};
    export const measureDatabase = (operation, access) => access;`,
  'lib/telemetry/trace.ts': `
    export const traceWith = () => {};
    export const areTracesOn = () => false;
    export const traceRequest = () => undefined;
    export const traced = (name, work) => work;
    export const currentSpan = () => undefined;
    export const tracedGroup = (name, spans, work) => work();
    export const untraced = (work) => work();`,
  'lib/http/observed.ts': 'export const observed = (of, handler) => handler;',
};

/**
 * Builds a server without the calls of telemetry, otherwise as `npm run build` does.
 * @returns a folder for `startBuiltServer`, among the packages of this checkout.
 */
export async function buildWithoutTelemetry(): Promise<string> {
  const checkout = join(root, 'node_modules/.cache/without-telemetry');
  const outdir = join(checkout, 'dist');
  const filter = new RegExp(`/(?:${Object.keys(replaced).join('|')})$`);
  await build({ ...common, outdir, entryPoints: workerEntries });
  await build({
    ...common,
    outdir,
    entryPoints: { serve: 'scripts/serve.ts' },
    packages: 'external',
    splitting: true,
    chunkNames: 'tool-[hash]',
    plugins: [
      {
        name: 'without telemetry',
        setup(builder) {
          builder.onLoad({ filter }, ({ path }) => {
            const contents = replaced[path.slice(root.length + 1)];
            return contents === undefined ? undefined : { contents };
          });
        },
      },
    ],
  });
  return checkout;
}
