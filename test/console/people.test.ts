import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
import { listFaults } from './every-view/faults.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const testConsole = getTestConsole();
const browser = visitor();
const person = () => ({ email: `${randomUUID()}@example.org`, password: 'a long enough one', first_name: 'Ada' });
const member = person();

beforeAll(() => callTestConsole('POST', '/users', member));

describe('users', () => {
  it('are made, get another role, and cannot sign in once they are disabled', async () => {
    const { email, password } = person();
    const page = await browser.open('/people');
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('combobox', { name: `Role of ${email}` }).selectOption('read_only');
    await expect.poll(() => page.getByRole('combobox', { name: `Role of ${email}` }).inputValue()).toBe('read_only');
    await page.getByRole('button', { name: `Disable ${email}` }).click();
    await page.getByRole('button', { name: `Enable ${email}` }).waitFor();
    const form = new URLSearchParams({ username: email, password });
    expect((await fetch(`${testConsole.url}/v2/login`, { method: 'POST', body: form })).status).toBe(401);
  });

  it('are deleted after a question', async () => {
    const { email, password } = person();
    await callTestConsole('POST', '/users', { email, password });
    const page = await browser.open('/people');
    const row = page.getByRole('row').filter({ hasText: email });
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('are invited many at once, and set their passwords by a link', async () => {
    const emails = [person().email, person().email];
    const page = await browser.open('/people');
    await page.getByRole('button', { name: 'Invite users' }).click();
    await page.getByLabel('E-mail addresses').fill(emails.join('\n'));
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('button', { name: `Sign-up link for ${emails[0]}` }).waitFor();
    await page.getByRole('button', { name: `Sign-up link for ${emails[1]}` }).click();
    const link = await page.getByRole('dialog').locator('pre').innerText();
    await expectAccessible(page);
    const code = link.split('/').at(-1);
    const password = 'a long enough one';
    await callTestConsole('POST', '/signup', { code, password });
    const form = new URLSearchParams({ username: emails[1]!, password });
    expect((await fetch(`${testConsole.url}/v2/login`, { method: 'POST', body: form })).status).toBe(200);
  });

  it('are told why the service refuses, and the role stays', async () => {
    const page = await browser.open('/people');
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('E-mail').fill(member.email);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
  });
});

describe('groups', () => {
  it('are made and get members in roles', async () => {
    const name = `group ${randomUUID()}`;
    const page = await browser.open('/people/groups');
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByLabel('User', { exact: true }).selectOption({ label: `${member.email} · Ada` });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('combobox', { name: `Role of ${member.email}` }).selectOption('maintainer');
    await page.getByRole('link', { name: 'Groups' }).click();
    await expect.poll(() => page.getByRole('row').filter({ hasText: name }).textContent()).toContain('2');
  });
});

describe('the own API keys', () => {
  it('are made for one project, shown once, and refused when they are deleted', async () => {
    const description = `key ${randomUUID()}`;
    const page = await browser.open('/people/keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(description);
    await page.getByLabel('Project').selectOption({ label: 'Touchstone demo' });
    await page.getByLabel('Permissions').selectOption('viewer');
    await page.getByRole('button', { name: 'Create' }).click();
    const key = await page.getByLabel('The new API key').inputValue();
    expect(await listFaults(page, 'dialog[open]')).toEqual([]);
    const status = async () =>
      (await fetch(`${testConsole.url}/v2/projects/${testConsole.project_id}`, { headers: { 'Service-API-Key': key } })).status;
    expect(await status()).toBe(200);
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: description });
    expect(await row.textContent()).toMatch(/Touchstone demo.*viewer/);
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await status()).toBe(401);
  });
});

describe('a key for provisioning', () => {
  it('is made by an administrator, opens SCIM and nothing else, and is listed as such', async () => {
    const description = `provider ${randomUUID()}`;
    const page = await browser.open('/people/keys');
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(description);
    await page.getByLabel('Use', { exact: true }).selectOption('provisioning');
    await page.getByRole('button', { name: 'Create' }).click();
    const headers = { 'Service-API-Key': await page.getByLabel('The new API key').inputValue() };
    expect((await fetch(`${testConsole.url}/scim/v2/Users`, { headers })).status).toBe(200);
    expect((await fetch(`${testConsole.url}/v2/projects/${testConsole.project_id}`, { headers })).status).toBe(403);
    await page.keyboard.press('Escape');
    const row = page.getByRole('row').filter({ hasText: description });
    expect(await row.textContent()).toContain('provisioning only');
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });
});

describe('places about people', () => {
  const PLACES = ['/people', '/people/groups', '/people/keys', '/audit'];
  it.each(PLACES.flatMap((place) => [[place, 'light'] as const, [place, 'dark'] as const]))(
    '%s can be read by everybody, %s',
    async (place, theme) => {
      const page = await browser.open(place, { theme });
      await page.getByRole('heading', { name: 'People' }).waitFor();
      await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
      await expectAccessible(page);
    },
  );
});
