import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const SECRET = 'sk-a-secret-of-the-tests';
const make = (name: string) =>
  callTestConsole<{ id: string }>('PUT', `/integrations/openai?name=${name}`, { token: SECRET, organization_id: 'org-1' });

// Whatever is chosen here would be asked for models in other tests, which say that there are none.
afterAll(async () => {
  for (const { name } of await callTestConsole<{ name: string }[]>('GET', '/integrations'))
    await callTestConsole('DELETE', `/integrations/${encodeURIComponent(name)}`);
});

describe('integrations', () => {
  it('are made by a form that the API describes; secrets are not shown again', async () => {
    const name = `openai ${randomUUID()}`;
    const page = await browser.open('/integrations');
    await page.getByRole('button', { name: 'New integration' }).click();
    await page.getByLabel('Provider').selectOption({ label: 'OpenAI' });
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('token').fill(SECRET);
    await page.getByText('More settings').click();
    await page.getByLabel('organization_id').fill('org-7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('row').filter({ hasText: 'organization_id' }).filter({ hasText: 'org-7' }).waitFor();
    expect(await page.content()).not.toContain(SECRET);
  });

  it('have a form for each of the shapes that a secret may have', async () => {
    const name = `aws ${randomUUID()}`;
    const page = await browser.open('/integrations');
    await page.getByRole('button', { name: 'New integration' }).click();
    await page.getByLabel('Provider').selectOption({ label: 'Cloud model hosting' });
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('credential_type').selectOption('assumed_role');
    await page.getByLabel('Form', { exact: true }).selectOption({ label: 'role_arn, external_id' });
    await page.getByLabel('role_arn').fill('not an ARN');
    await page.getByLabel('external_id').fill('external-1');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('token');
    await page.getByLabel('role_arn').fill('arn:aws:iam::123456789012:role/judge');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name }).waitFor();
  });

  it('are set anew, chosen, disabled, tested and deleted', async () => {
    const { id } = await make(`openai-${randomUUID()}`);
    const page = await browser.open(`/integrations/${id}`);
    await page.getByRole('button', { name: 'Set anew' }).click();
    await page.getByText('More settings').click();
    expect(await page.getByLabel('organization_id').inputValue()).toBe('org-1');
    await page.getByLabel('organization_id').fill('org-2');
    await page.getByLabel('token').fill(SECRET);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'org-2' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'admin@example.org' }).filter({ hasText: 'owner' }).waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await page.getByRole('button', { name: 'Test it' }).click();
    await page.getByText('the integration is disabled').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Integrations' }).waitFor();
    await expect(callTestConsole('GET', `/integrations/${id}`)).rejects.toThrow('404');
  });

  it('are chosen among those of their provider', async () => {
    const name = `openai-${randomUUID()}`;
    await make(name);
    const page = await browser.open('/integrations');
    await page.getByRole('button', { name: `Use ${name}` }).click();
    await page.getByRole('row').filter({ hasText: name }).filter({ hasText: 'Yes' }).waitFor();
  });

  it('list the models that they name', async () => {
    const { id } = await callTestConsole<{ id: string }>('PUT', `/integrations/custom?name=custom-${randomUUID()}`, {
      // By number, so that no name has to be found; nothing is asked there.
      endpoint: 'https://1.1.1.1/v1',
      authentication_type: 'none',
      models: ['tiny-judge'],
    });
    const page = await browser.open(`/integrations/${id}`);
    await page.getByRole('button', { name: 'List its models' }).click();
    await page.getByRole('cell', { name: 'tiny-judge' }).waitFor();
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const { id } = await make(`shown-${theme}`);
    const page = await browser.open('/integrations', { theme });
    await page.getByRole('link', { name: `shown-${theme}` }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New integration' }).click();
    await page.getByLabel('Provider').selectOption({ label: 'Cloud model hosting' });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: `shown-${theme}` }).click();
    await page.getByRole('row').filter({ hasText: 'owner' }).waitFor();
    await expectAccessible(page);
    await callTestConsole('DELETE', `/integrations/${id}`);
  });
});
