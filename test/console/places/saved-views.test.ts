import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { twoExperiments } from '../fixtures/experiment-fixture.ts';
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

it('lets a reader of the project open a shared view, and offers changes only of their own', async () => {
  const stream = await makeLogStream();
  await stream.log('refund');
  const views = `/projects/${stream.project_id}/views`;
  const shared = await callTestConsole<{ id: string }>('POST', views, {
    ...{ name: 'Of the team', is_shared: true, state: { record_type: 'trace' } },
  });
  const [email, password] = [`${randomUUID()}@example.org`, 'a reader of this project'];
  const { id: user_id } = await callTestConsole<{ id: string }>('POST', '/users', { email, password });
  await callTestConsole('POST', `/projects/${stream.project_id}/users`, [{ user_id, role: 'viewer' }]);
  const page = await browser.open(stream.place, { signedIn: false });
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Saved views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await dialog.getByLabel('Save the current list as').fill('My own');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByRole('button', { name: 'Delete My own' }).waitFor();
  expect(await dialog.getByRole('button', { name: /Of the team/ }).count()).toBe(0);
  expect(await dialog.getByRole('button', { name: /^Share/ }).count()).toBe(0);
  expect(await dialog.getByLabel('Share with everybody').count()).toBe(0);
  await dialog.getByRole('link', { name: 'Of the team' }).click();
  await page.getByText('1 trace', { exact: true }).waitFor();

  // Whoever may change the project may change what others shared in it.
  const admin = await browser.open(stream.place);
  await admin.getByRole('button', { name: 'Saved views' }).click();
  await admin.getByRole('button', { name: 'Delete Of the team' }).waitFor();
  expect(await callTestConsole('GET', `${views}/${shared.id}`)).toMatchObject({ name: 'Of the team' });
});

it('opens the records of the experiment that a view names, filtered as it says', async () => {
  const { project_id, baseline } = await twoExperiments();
  const name = `Slow rows ${randomUUID()}`;
  await callTestConsole('POST', `/projects/${project_id}/views`, {
    name,
    state: {
      ...{ record_type: 'trace', run_ids: [baseline.id] },
      filters: [{ type: 'number', column_id: 'metrics/duration_ns', operator: 'gte', value: 215_000_000 }],
    },
  });
  const { id } = await callTestConsole<{ id: string }>('POST', `/projects/${project_id}/log_streams`, {
    name: `stream ${randomUUID()}`,
  });
  await callTestConsole('POST', `/projects/${project_id}/traces`, { log_stream_id: id, traces: [{ input: 'a', output: 'b' }] });
  const page = await browser.open(`/projects/${project_id}/log_streams/${id}`);
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('dialog').getByRole('link', { name }).click();
  await page.getByRole('navigation', { name: 'Way here' }).getByRole('link', { name: baseline.name }).waitFor();
  await page.getByText('2 traces', { exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Levels' }).getByRole('link', { name: 'Spans' }).waitFor();
  expect(await page.getByRole('link', { name: 'Sessions' }).count()).toBe(0);
});
