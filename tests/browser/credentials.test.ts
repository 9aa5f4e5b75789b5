import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';

describeInBrowser('the screen of the key pairs', (stage) => {
  it('looks', async () => {
    await stage.admin('POST', '/admin/creds', { scopes: ['all'], label: 'Moodle of the school' });
    await stage.admin('POST', '/admin/creds', { scopes: ['statements/read'], label: null });
    await stage.signIn('/credentials');
    await stage.page.getByRole('table').waitFor();
    await stage.page.screenshot({ path: '/tmp/admin-c1.png' });
    await stage.expectAccessible();
    await stage.page.getByRole('button', { name: 'Create a key pair' }).click();
    await stage.page.getByRole('dialog').waitFor();
    await stage.page.screenshot({ path: '/tmp/admin-c2.png', fullPage: true });
    await stage.expectAccessible();
    await stage.page.getByRole('button', { name: 'Create', exact: true }).click();
    await stage.page.getByText('The key pair is ready').waitFor();
    await stage.page.screenshot({ path: '/tmp/admin-c3.png', fullPage: true });
    await stage.expectAccessible();
    await stage.page.getByRole('tab', { name: 'Moodle' }).click();
    await stage.page.setViewportSize({ width: 360, height: 740 });
    await stage.page.emulateMedia({ colorScheme: 'dark' });
    await stage.page.screenshot({ path: '/tmp/admin-c4.png', fullPage: true });
    await stage.expectAccessible();
    await stage.page.getByRole('button', { name: 'Close' }).click();
    await stage.page.screenshot({ path: '/tmp/admin-c5.png', fullPage: true });
    expect(1).toBe(1);
  });
});
