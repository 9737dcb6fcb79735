import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
import { visitor } from './visit.ts';

const browser = visitor();

it('an invited user follows the link, chooses a password and is signed in; the link is good no more', async () => {
  const email = `${randomUUID()}@example.org`;
  await callTestConsole('POST', '/invite_users', { emails: [email] });
  const { signup_link } = await callTestConsole<{ signup_link: string }>('POST', `/signup_link?user_email=${email}`);
  const place = new URL(signup_link).hash.slice(1);
  const page = await browser.open(place, { signedIn: false });
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Password', { exact: true }).fill('amazing compiler');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(page.url()).not.toContain('signup');
  const later = await browser.open(place, { signedIn: false });
  await later.getByLabel('Password', { exact: true }).fill('another password');
  await later.getByRole('button', { name: 'Sign up' }).click();
  expect(await later.getByRole('alert').textContent()).toContain('not good');
});
