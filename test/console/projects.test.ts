import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { visitor } from './visit.ts';

const browser = visitor();

describe('projects', () => {
  it('are listed, and found by a part of their name that the address bar keeps', async () => {
    const page = await browser.open('/');
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find projects by name' }).fill('CHSTONE');
    await page.waitForURL(/name=CHSTONE/);
    await page.reload();
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find projects by name' }).fill('no such name');
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor({ state: 'detached' });
  });

  it('are all shown again by one Back, however many letters were typed', async () => {
    const page = await browser.open('/');
    await page.getByRole('searchbox', { name: 'Find projects by name' }).pressSequentially('no such name');
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe('#/?name=no+such+name');
    await page.goBack();
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/');
  });

  it('are made, and a log stream in them', async () => {
    const [project, stream] = [`project ${randomUUID()}`, `stream ${randomUUID()}`];
    const page = await browser.open('/');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByLabel('Name', { exact: true }).fill(project);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: project }).waitFor();
    await page.getByRole('button', { name: 'New log stream' }).click();
    await page.getByLabel('Name', { exact: true }).fill(stream);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/log_streams/);
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open('/', { theme });
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
    await expectAccessible(page);
  });

  it('responds for an address that leads nowhere', async () => {
    const page = await browser.open('/nowhere/at/all');
    expect(await page.getByRole('heading').textContent()).toBe('Page not found');
  });
});
