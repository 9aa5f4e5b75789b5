import { afterAll, beforeEach, expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { firstAccount, serverEntrance } from '../support/entrance.ts';
import { screen } from '../support/openid-login.ts';
import { audience, learner, startOpenIdProvider, unrenewable } from '../support/openid-provider.ts';

const provider = await startOpenIdProvider();
afterAll(() => provider.stop());

const env = {
  LRS_OIDC_ISSUER: provider.issuer,
  LRS_OIDC_AUDIENCE: audience,
  LRS_OIDC_CLIENT_ID: screen.clientId,
};

describeInBrowser(
  'signing in at an OpenID provider',
  (stage) => {
    // The provider is the one other host that the page may call.
    beforeEach(() => stage.expectErrors(new RegExp(`^asked another host: ${provider.issuer}/`)));

    const atProvider = () => stage.page.getByRole('button', { name: 'Sign in at the provider' });

    async function goAs(login: string): Promise<void> {
      await atProvider().click();
      await stage.page.getByLabel('Login').fill(login);
      await stage.page.getByRole('button', { name: 'Go' }).click();
    }

    async function signInAs(login: string, address = '/settings'): Promise<void> {
      await stage.open(address);
      await goAs(login);
      await stage.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    }

    const tokenNow = (): Promise<unknown> => stage.page.evaluate("localStorage['serverless-lrs.token']");

    it('leads back to the address that was asked for, by a code with PKCE that nobody sees afterwards', async () => {
      const asked = stage.page.waitForRequest((request) =>
        request.url().startsWith(`${provider.issuer}/auth?`),
      );
      await stage.open('/statements?limit=5');
      await atProvider().waitFor();
      await stage.expectAccessible();
      await goAs('ann');
      await stage.page.getByRole('heading', { level: 1, name: 'Statements' }).waitFor();
      await expect.poll(() => stage.page.url()).toBe(`${stage.server.url}/#/statements?limit=5`);
      expect(Object.fromEntries(new URL((await asked).url()).searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: `${stage.server.url}/`,
      });
      await stage.page.getByRole('button', { name: 'Account' }).click();
      await stage.page.getByText('ann', { exact: true }).waitFor();
      await stage.page.reload();
      await stage.page.getByRole('heading', { level: 1, name: 'Statements' }).waitFor();
    });

    it('is renewed with the refresh token while somebody is active', async () => {
      await stage.context.clock.install();
      await signInAs('ann');
      const before = await tokenNow();
      await stage.context.clock.fastForward('06:30');
      await expect.poll(tokenNow).not.toBe(before);
      await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    });

    it('warns that one has to sign in anew where there is no refresh token', async () => {
      await stage.context.clock.install();
      await signInAs(unrenewable);
      await stage.context.clock.fastForward('08:05');
      const dialog = stage.page.getByRole('dialog', { name: 'Your session is about to end' });
      await dialog.getByText('This session cannot be made longer.').waitFor();
      await stage.expectAccessible();
      await dialog.getByRole('button', { name: 'Sign in again now' }).click();
      await stage.page.getByText('The session has ended. Sign in again.').waitFor();
      expect(await stage.page.evaluate('JSON.stringify(localStorage)')).not.toContain('access_token');
    });

    it('signs out at the provider, too', async () => {
      await signInAs('ann');
      await stage.page.getByRole('button', { name: 'Account' }).click();
      await stage.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
      await stage.page.getByRole('button', { name: 'Leave' }).click();
      await stage.page.waitForURL(`${stage.server.url}/`);
      await atProvider().click();
      await stage.page.getByLabel('Login').waitFor();
    });

    it('says why the server does not let somebody in, who may then be somebody else', async () => {
      stage.expectErrors(/status of 403/);
      await stage.open('/settings');
      await goAs(learner);
      await stage.page.getByText('The server said: The token lacks the scope admin.').waitFor();
      await stage.expectAccessible();
      await goAs('ann');
      await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    });

    it('says that the provider does not answer, and lets accounts of this server in beside it', async () => {
      stage.expectErrors(/ERR_CONNECTION_REFUSED/);
      await provider.stop();
      await stage.open('/settings');
      await atProvider().click();
      await stage.page.getByRole('alert').getByText('Try again.').waitFor();
      await provider.start();
      await stage.page.getByLabel('User name').fill(firstAccount.username);
      await stage.page.locator('input[autocomplete=current-password]').fill(firstAccount.password);
      await stage.page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await stage.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    });

    it('is the only way in where accounts of the server are switched off', async () => {
      const server = await serverEntrance('http', { LRS_DB_NAME: ':memory:', ...env });
      stage.expectErrors(new RegExp(`^asked another host: ${server.url}/`));
      await stage.page.goto(server.url);
      await atProvider().waitFor();
      expect(await stage.page.getByLabel('User name').count()).toBe(0);
      await stage.page.goto('about:blank');
      await server.close();
    });
  },
  { ...env, LRS_OIDC_ENABLE_LOCAL_ADMIN: 'true' },
);
