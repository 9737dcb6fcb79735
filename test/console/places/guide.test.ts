import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { getTestConsole } from '../test-console.ts';
import { visitor } from '../visit.ts';

const browser = visitor();
const open = (options: { theme?: 'light' | 'dark'; width?: number } = {}) =>
  browser.open('', { ...options, signedIn: false, url: `${getTestConsole().url}/docs/guide/` });

describe('the documentation in a browser', () => {
  it('is searched by keys, without anything from elsewhere, and opens at the section that was found', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'Touchstone', level: 1 }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill('provisioning scim');
    await page
      .getByRole('option', { name: /Provisioning by SCIM/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/access\.html#provisioning-by-scim$/);
    await page.getByRole('heading', { name: 'Provisioning by SCIM' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Access, for those' }).getAttribute('aria-current')).toBe(
      'page',
    );
  });

  it('says so when nothing is found', async () => {
    const page = await open();
    await page.getByRole('combobox', { name: 'Search' }).fill('qqqqzzzz');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Nothing found.').waitFor({ state: 'detached' });
  });

  it.each(['light', 'dark'] as const)('is accessible, %s', async (theme) => {
    const page = await open({ theme });
    await page.getByRole('combobox', { name: 'Search' }).fill('access');
    await page.getByRole('option').first().waitFor();
    await expectAccessible(page);
  });

  it('has its list of pages behind a press on a narrow screen', async () => {
    const page = await open({ width: 500 });
    const link = page.getByRole('navigation').getByRole('link', { name: 'Clients', exact: true });
    expect(await link.isVisible()).toBe(false);
    await page.getByText('Pages', { exact: true }).click();
    await link.click();
    await page.waitForURL(/clients\.html$/);
  });
});
