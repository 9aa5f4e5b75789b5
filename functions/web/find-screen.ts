import type { OpenCall, Step } from '../../lib/http/call.ts';
import { type Handler, type OpenConfigured, screenHandler } from '../../lib/http/handler.ts';
import { redirect } from '../../lib/http/responses.ts';
import { requireSetting } from '../../lib/http/steps/require-setting.ts';
import type { HttpResponse } from '../../lib/http/types.ts';

/** The addresses that lrsql's screen has, for bookmarks and links: they lead to this screen. */
export function findScreenHandlers(open: OpenConfigured): Record<'findScreen' | 'findScreenPage', Handler> {
  const first = [requireScreen()];
  return {
    findScreen: screenHandler(open, async (call) => toScreen(call), first),
    findScreenPage: screenHandler(open, async (call) => toScreen(call, pageOf(call)), first),
  };
}

/** Hides what belongs to the screen while it is switched off. */
export function requireScreen(): Step<OpenCall> {
  const setting = { feature: 'The admin screen', setting: 'webserver.enableAdminUi' };
  return requireSetting(({ webserver }) => webserver.enableAdminUi, setting);
}

/** An OpenID provider sends people back with an answer in the query. */
export const queryOf = ({ query }: OpenCall): string => (query.size === 0 ? '' : `?${query}`);

/** Relative, so that it stays below the stage of a gateway and the path of a proxy, whether or not a setting names them. */
function toScreen(call: OpenCall, page = ''): HttpResponse {
  const depth = call.path.split('/').length - 2;
  return redirect(`${'../'.repeat(depth) || './'}${queryOf(call)}${page}`);
}

/** By the first segment below `/admin/ui/` in an address of lrsql, the page of this screen that shows the same. */
const pages: ReadonlyMap<string | undefined, string> = new Map([
  ['credentials', '#/credentials'],
  ['accounts', '#/accounts'],
  ['browser', '#/statements'],
  ['data-management', '#/erase'],
  ['reactions', '#/reactions'],
]);

/** Other addresses lead to the first page. */
function pageOf({ path }: OpenCall): string | undefined {
  return pages.get(path.split('/')[3]);
}
