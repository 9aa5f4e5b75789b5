import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { NotFoundError } from '../../lib/errors.ts';
import { type BuiltFile, readBuiltFile } from '../../lib/http/built-file.ts';
import type { Action, OpenCall } from '../../lib/http/call.ts';
import { type Handler, type Open, type OpenConfigured, screenHandler } from '../../lib/http/handler.ts';
import { pageSecurity } from '../../lib/http/page-security.ts';
import { redirect } from '../../lib/http/responses.ts';
import type { HttpResponse } from '../../lib/http/types.ts';
import { queryOf, requireScreen } from './find-screen.ts';

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
export function screenHandlers({
  open,
  configured,
  folder = builtFolder,
}: ScreenOptions): Record<'getScreen' | 'getScreenFile', Handler> {
  const handler = (action: Action<OpenCall>): Handler => screenHandler(configured, action, [requireScreen()]);
  return {
    getScreen: handler(async (call) => getScreen(call, folder, await callable(call, open))),
    getScreenFile: handler((call) => getScreenFile(call, join(folder, 'assets'))),
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
