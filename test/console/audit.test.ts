import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { callTestConsole } from './console-api.ts';
import { visitor } from './visit.ts';

const browser = visitor();

describe('the audit log', () => {
  it('is narrowed to an action and a time, which the address bar keeps', async () => {
    const email = `${randomUUID()}@example.org`;
    await callTestConsole('POST', '/users', { email });
    const page = await browser.open('/audit');
    await page.getByLabel('Action').fill('user.create');
    await page.getByLabel('Action').press('Enter');
    await page.waitForURL(/action=user\.create/);
    await page.getByRole('row').filter({ hasText: email }).waitFor();
    await page.reload();
    await page.getByRole('row').filter({ hasText: email }).waitFor();
    expect(await page.getByRole('cell', { name: 'login.api_key' }).count()).toBe(0);
    await page.getByLabel('Before').fill('2020-01-01T00:00');
    await page.getByRole('heading', { name: 'No events' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('cell', { name: 'login.api_key' }).first().waitFor();
  });

  it('shows what else somebody did, and a line with all that it says', async () => {
    const page = await browser.open('/audit');
    await page
      .getByRole('row')
      .filter({ hasText: 'project.create' })
      .first()
      .getByRole('button', { name: 'project.create' })
      .click();
    await page.waitForURL(/action=project\.create/);
    await page.locator('tbody summary').first().click();
    await page.getByText('previous_hash').first().waitFor();
  });

  it('has its chain checked', async () => {
    const page = await browser.open('/audit');
    await page.getByRole('button', { name: 'Verify integrity' }).click();
    expect(await page.getByRole('dialog').getByRole('status').textContent()).toMatch(/All [\d,]+ lines follow on each other/);
  });
});
