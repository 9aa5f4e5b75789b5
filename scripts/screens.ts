import type { BuiltServer } from './built-server.ts';

/** The addresses of the screen's pages, by name. */
export const pages = {
  overview: '/',
  statements: '/statements',
  upload: '/upload',
  export: '/export',
  documents: '/documents',
  agents: '/agents',
  activities: '/activities',
  reactions: '/reactions',
  'reaction-editor': '/reactions?edit=new',
  credentials: '/credentials',
  accounts: '/accounts',
  erase: '/erase',
  audit: '/audit',
  settings: '/settings',
};

/** Settings without which some of them are not there. */
export const screenSettings = { LRS_ENABLE_ADMIN_DELETE_ACTOR: 'true', LRS_ENABLE_REACTIONS: 'true' };

/** A token of the first account, which the screen keeps as `serverless-lrs.token`. @throws Error when it can't sign in. */
export async function tokenOf({ url }: BuiltServer): Promise<string> {
  const answer = await fetch(`${url}/admin/account/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'opsadmin', password: 'Tr1cky_pass!' }),
  });
  const { 'json-web-token': token }: Record<string, string> = JSON.parse(await answer.text());
  if (token === undefined) throw new Error('The first account cannot sign in.');
  return token;
}
