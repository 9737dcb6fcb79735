import { expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { makeLogStream } from '../log-stream.ts';
import { visitor } from '../visit.ts';

const browser = visitor();

it('saves a filtered list under a name, opens it again, shares and deletes it', async () => {
  const stream = await makeLogStream();
  await stream.log('refund', 'order');
  const filters = JSON.stringify([{ type: 'text', column_id: 'name', operator: 'eq', value: 'refund', case_sensitive: true }]);
  const page = await browser.open(`${stream.place}?filters=${encodeURIComponent(filters)}`);
  await page.getByText('1 trace', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Saved views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await dialog.getByText('No saved views yet').waitFor();
  await dialog.getByLabel('Save the current list as').fill('Refunds');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByRole('link', { name: 'Refunds' }).waitFor();
  await dialog.getByRole('button', { name: 'Share Refunds' }).click();
  await dialog.getByText('traces · shared').waitFor();
  await expectAccessible(page);

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove filter' }).click();
  await page.getByText('2 traces', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Saved views' }).click();
  await dialog.getByRole('link', { name: 'Refunds' }).click();
  await page.getByText('1 trace', { exact: true }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);

  await page.getByRole('button', { name: 'Saved views' }).click();
  await dialog.getByRole('button', { name: 'Delete Refunds' }).click();
  await dialog.getByRole('button', { name: 'Confirm deletion of Refunds' }).click();
  await dialog.getByText('No saved views yet').waitFor();
});
