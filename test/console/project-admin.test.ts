import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
import { visitor } from './visit.ts';

const browser = visitor();
let project_id: string;
const member = `${randomUUID()}@example.org`;
const group = `group ${randomUUID()}`;

beforeAll(async () => {
  ({ id: project_id } = await callTestConsole<{ id: string }>('POST', '/projects', { name: `project ${randomUUID()}` }));
  await callTestConsole('POST', '/users', { email: member });
  await callTestConsole('POST', '/groups', { name: group });
});

describe('the sharing of a project', () => {
  it('adds users and groups, changes their roles and takes them out', async () => {
    const page = await browser.open(`/projects/${project_id}/sharing`);
    await page.getByRole('button', { name: 'Share with a user' }).click();
    await page.getByLabel('E-mail').fill(member);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('button', { name: 'Share with a group' }).click();
    await page.getByLabel('Group', { exact: true }).selectOption({ label: group });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('row').filter({ hasText: group }).waitFor();
    await page.getByRole('combobox', { name: `Role of ${member}` }).selectOption('editor');
    await expect.poll(rolesOfUsers).toContain(`${member} editor`);
    await page.getByRole('row').filter({ hasText: member }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('row').filter({ hasText: member }).waitFor({ state: 'detached' });
  });

  it('keeps the last owner, and says so', async () => {
    const page = await browser.open(`/projects/${project_id}/sharing`);
    await page.getByRole('row').filter({ hasText: 'admin@example.org' }).getByRole('combobox').selectOption('viewer');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('combobox', { name: /Role of admin/ }).inputValue()).toBe('owner');
  });
});

describe('the settings of a project', () => {
  it('give it another name, and a retention with a look at what it would remove, a budget, and forbid models without a price', async () => {
    const name = `renamed ${randomUUID()}`;
    const page = await browser.open(`/projects/${project_id}/settings`);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('form', { name: 'Name and description' }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByLabel('Retention (days)').fill('30');
    await page.getByRole('form', { name: 'Retention' }).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'What would be removed now?' }).click();
    await page.getByText('0 traces, 0 spans, 0 sessions').waitFor();
    expect(await callTestConsole('GET', `/projects/${project_id}/retention`)).toMatchObject({ days: 30 });
    const budget = page.getByRole('form', { name: 'Budget for models' });
    await budget.getByText('Spent today $0.00').waitFor();
    await budget.getByLabel('Monthly budget (US dollars)').fill('12.5');
    await budget.getByRole('button', { name: 'Save' }).click();
    await budget.getByText('Saved.').waitFor();
    expect(await callTestConsole('GET', `/projects/${project_id}/spending-budget`)).toMatchObject({ daily: null, monthly: 12.5 });
    const unpriced = page.getByRole('form', { name: 'Models without a price' });
    await unpriced.getByLabel('Forbid calls of models without a price').check();
    await unpriced.getByRole('button', { name: 'Save' }).click();
    await unpriced.getByText('Saved.').waitFor();
    expect(await callTestConsole('GET', `/projects/${project_id}/unpriced-models`)).toMatchObject({ forbidden: true });
    await expectAccessible(page);
  });

  it('have it exported as files, and say how far that is', async () => {
    const { id } = await callTestConsole<{ id: string }>('POST', '/projects', { name: `project ${randomUUID()}` });
    const { id: log_stream_id } = await callTestConsole<{ id: string }>('POST', `/projects/${id}/log_streams`, { name: 'logs' });
    await callTestConsole('POST', `/projects/${id}/traces`, { log_stream_id, traces: [{ input: 'a' }] });
    const page = await browser.open(`/projects/${id}/settings`);
    const form = page.getByRole('form', { name: 'Data export' });
    await form.getByLabel('Export as Parquet files').check();
    await form.getByLabel('Scores').uncheck();
    await form.getByLabel('Feedback and annotations').uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved.').waitFor();
    const fetchState = () =>
      callTestConsole<{ status: string; num_rows: number; content: string[] }>('GET', `/projects/${id}/data-export`);
    await expect.poll(fetchState).toMatchObject({ status: 'up_to_date', num_rows: 1, content: ['records'] });
    await form.getByRole('button', { name: 'Refresh' }).click();
    await form.getByText('1 files, 1 rows').waitFor();
    await form.getByText(`project=${id}/day=`).waitFor();
    await expectAccessible(page);
    await form.getByLabel('Traces and spans').uncheck();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').waitFor();
  });

  it('delete it after a question', async () => {
    const { id } = await callTestConsole<{ id: string }>('POST', '/projects', { name: `project ${randomUUID()}` });
    const page = await browser.open(`/projects/${id}/settings`);
    await page.getByRole('button', { name: 'Delete project' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete project' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await expect(callTestConsole('GET', `/projects/${id}`)).rejects.toThrow('404');
  });
});

it.each(['sharing', 'settings'].flatMap((part) => [[part, 'light'] as const, [part, 'dark'] as const]))(
  'the %s of a project can be read by everybody, %s',
  async (part, theme) => {
    const page = await browser.open(`/projects/${project_id}/${part}`, { theme });
    await page.getByRole('button', { name: part === 'sharing' ? 'Share with a user' : 'Delete project' }).waitFor();
    await expectAccessible(page);
  },
);

async function rolesOfUsers(): Promise<string[]> {
  const page = await callTestConsole<{ collaborators: { email: string; role: string }[] }>(
    'GET',
    `/projects/${project_id}/users`,
  );
  return page.collaborators.map(({ email, role }) => `${email} ${role}`);
}
