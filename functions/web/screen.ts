import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { NotFoundError } from '../../lib/errors.ts';
import { type BuiltFile, readBuiltFile } from '../../lib/http/built-file.ts';
import type { Action, OpenCall } from '../../lib/http/call.ts';
import { type Handler, type Open, type OpenConfigured, screenDoor } from '../../lib/http/door.ts';
import { pageSecurity } from '../../lib/http/page-security.ts';
import { redirect } from '../../lib/http/responses.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** The folder that `npm run build` makes lies beside the bundles. */
const builtFolder = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../dist/web' : 'web',
);

export interface ScreenOptions {
  readonly open: Open;
  readonly configured: OpenConfigured;
  /** Where the built screen lies. */
  readonly folder?: string | undefined;
}

/** The web screen: one page at `/`, whose addresses are all relative, and the files that it loads. */
export function screenDoors({
  open,
  configured,
  folder = builtFolder,
}: ScreenOptions): Record<'getScreen' | 'getScreenFile' | 'findScreen', Handler> {
  const setting = { feature: 'The admin screen', setting: 'webserver.enableAdminUi' };
  const first = [requireSetting(({ webserver }) => webserver.enableAdminUi, setting)];
  const door = (action: Action<OpenCall>): Handler => screenDoor(configured, action, first);
  return {
    getScreen: door(async (call) => getScreen(call, folder, await callable(call, open))),
    getScreenFile: door((call) => getScreenFile(call, join(folder, 'assets'))),
    findScreen: door(findScreen),
  };
}

/** What the page calls beside this server: the OpenID provider, if there is one. */
async function callable({ lrs }: OpenCall, open: Open): Promise<readonly string[] | undefined> {
  return lrs.config.webserver.oidcIssuer === null ? undefined : (await open()).oidc?.calledByClient();
}

/**
 * The page carries a nonce for the style elements of its component library, drawn anew each time, so nobody keeps it; it is
 * small. Below an address without a slash at its end, such as that of a gateway's stage, relative addresses would go astray.
 */
async function getScreen(
  call: OpenCall,
  folder: string,
  called: readonly string[] | undefined,
): Promise<HttpResponse> {
  const { externalPath } = call;
  if (!externalPath.endsWith('/')) return redirect(`./${lastSegment(externalPath)}/${queryOf(call)}`);
  const page = await readBuiltFile(folder, 'index.html');
  if (page === undefined) throw new NotFoundError('The admin screen is not built: `npm run build` makes it.');
  const nonce = randomBytes(16).toString('base64');
  return {
    statusCode: 200,
    headers: {
      'Content-Type': page.contentType,
      ...pageSecurity({ nonce, callable: called }),
      'Cache-Control': 'no-store',
    },
    body: page.content.toString().replaceAll('%NONCE%', nonce),
  };
}

/** The name of a file changes with its content. */
async function getScreenFile({ path, headers }: OpenCall, folder: string): Promise<HttpResponse> {
  const file = await readBuiltFile(folder, lastSegment(path), headers['accept-encoding']);
  if (file === undefined) {
    throw new NotFoundError('The admin screen has no such file (any more): load the page again.');
  }
  return answerWith(file, {
    ...pageSecurity(),
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  });
}

/** At lrsql's address of the screen. */
async function findScreen(call: OpenCall): Promise<HttpResponse> {
  return redirect(`../${queryOf(call)}`);
}

function answerWith(file: BuiltFile, headers: Readonly<Record<string, string>>): HttpResponse {
  const { contentType, coding, content } = file;
  const encoding = coding === undefined ? {} : { 'Content-Encoding': coding };
  return {
    statusCode: 200,
    headers: { 'Content-Type': contentType, ...encoding, ...headers },
    body: content,
  };
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** An OpenID provider sends people back with an answer in the query. */
const queryOf = ({ query }: OpenCall): string => (query.size === 0 ? '' : `?${query}`);
