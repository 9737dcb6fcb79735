import { describe, expect, it } from 'vitest';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const testConsole = getTestConsole();
const browser = visitor();

describe('signing in', () => {
  it('takes a password and stays at the place one came for', async () => {
    const page = await browser.open(`/projects/${testConsole.project_id}`, { signedIn: false });
    await page.getByLabel('E-mail').fill(testConsole.email);
    await page.getByLabel('Password', { exact: true }).fill(testConsole.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Touchstone demo' }).waitFor();
  });

  it('takes an API key', async () => {
    const page = await browser.open('/', { signedIn: false });
    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByLabel('API key', { exact: true }).fill(testConsole.api_key);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
  });

  it('says why it refused', async () => {
    const page = await browser.open('/', { signedIn: false });
    await page.getByLabel('E-mail').fill(testConsole.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('user name, password or key is not valid');
  });

  it('lasts over a reload and ends when asked', async () => {
    const page = await browser.open('/');
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    await page.reload();
    await page.getByLabel('E-mail').waitFor();
  });
});
