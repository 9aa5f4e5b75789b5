import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createHandlers } from '../../functions/index.ts';
import { createRouter } from '../../functions/router.ts';
import { startServer } from '../../lib/adapter/server.ts';
import type { Lrs } from '../../lib/lrs.ts';
import { recordExchange, recordedLogger } from './disclosure/record.ts';
import { type Entrance, sendTo } from './entrance.ts';
import { clientAnswer, gatewayEvents } from './gateway-events.ts';
import { limitsWith } from './limits.ts';
import { standInLrs } from './stand-in-lrs.ts';

/** What stands in the files of the stand-in for a built screen. */
export const screenFiles = {
  page: `<!doctype html><meta nonce="%NONCE%"><script nonce="%NONCE%"></script>${' '.repeat(2000)}`,
  script: `export const words = ${JSON.stringify('é'.repeat(2000))};`,
  picture: Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255, 128]),
} as const;

/** A folder as the build of the screen makes it, with files around it that nobody must get. */
export function screenFolder(): { readonly folder: string; readonly remove: () => void } {
  const outer = mkdtempSync(join(tmpdir(), 'screen-'));
  const folder = join(outer, 'web');
  const put = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'assets/deep.js'), { recursive: true });
  put('../private.js', 'private');
  put('assets/deep.js/private.js', 'private');
  put('assets/private.pem', 'private');
  put('assets/constructor', 'private');
  put('assets/logo-1a2b.png', screenFiles.picture);
  put('index.html', screenFiles.page);
  put('assets/index-1a2b.js', screenFiles.script);
  put('assets/index-1a2b.js.br', brotliCompressSync(screenFiles.script));
  put('assets/index-1a2b.js.gz', gzipSync(screenFiles.script));
  return { folder, remove: () => rmSync(outer, { recursive: true }) };
}

/** How a screen is served: from a folder, by an LRS without storage. */
export interface ScreenOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly parts?: Partial<Lrs>;
}

type OpenScreen = (options: ScreenOptions) => Promise<Entrance>;

function routerOf({ folder, env = {}, parts = {} }: ScreenOptions) {
  return createRouter(
    createHandlers(standInLrs(env, { logger: recordedLogger(), ...parts }), { screen: folder }),
    env.LRS_URL_PREFIX ?? '/xapi',
  );
}

async function openServer(options: ScreenOptions): Promise<Entrance> {
  const address = { host: '127.0.0.1', port: 0 };
  const server = await startServer(address, {
    route: routerOf(options),
    limits: limitsWith(),
    onFailure: () => {},
  });
  return {
    send: (request) => sendTo(server.url, request),
    stage: '',
    close: () => server.stop(0),
  };
}

/** Each kind of gateway, and the Node adapter. */
export const screenEntrances: readonly (readonly [string, OpenScreen])[] = [
  ['the Node adapter', openServer],
  ...Object.entries(gatewayEvents).map(([name, eventOf]): [string, OpenScreen] => [
    name,
    async (options) => {
      const route = routerOf(options);
      return {
        send: async (request) => {
          const answer = clientAnswer(await route(request.method, request.path)(eventOf(request)));
          recordExchange(request, answer);
          return answer;
        },
        stage: name.startsWith('REST') ? '/dev' : '',
        close: async () => {},
      };
    },
  ]),
];
