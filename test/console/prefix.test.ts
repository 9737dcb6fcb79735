import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../setup/timing.ts';
import { type PrefixProxy, startPrefixProxy } from './prefix-proxy.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const testConsole = getTestConsole();
let proxy: PrefixProxy;
beforeAll(async () => {
  proxy = await startPrefixProxy(testConsole.url, '/some/prefix');
});
afterAll(() => proxy.close());
// After what it looks at: what began last ends first.
const browser = visitor();

describe('behind a proxy that serves it under a path', () => {
  it('the console signs in, lists, goes to a part, and stays over a reload', async () => {
    const page = await browser.open('/', { url: proxy.url, signedIn: false });
    await page.getByLabel('E-mail').fill(testConsole.email);
    await page.getByLabel('Password', { exact: true }).fill(testConsole.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Touchstone demo' }).click();
    await page.getByRole('heading', { name: 'Touchstone demo' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Touchstone demo' }).waitFor();
    expect(page.url()).toBe(`${proxy.url}#/projects/${testConsole.project_id}`);
    expect(proxy.strays).toEqual([]);
  });

  it('the reference of the API shows its operations', async () => {
    const page = await browser.open('/', { url: proxy.url });
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.waitForURL(`${proxy.url}docs/`);
    await page.locator('#operations-tag-traces').waitFor({ timeout: PATIENCE_MS });
    expect(proxy.strays).toEqual([]);
  });

  it('the address without its last slash of the reference leads to it', async () => {
    const reply = await fetch(`${proxy.url}docs`);
    expect([reply.status, reply.url]).toEqual([200, `${proxy.url}docs/`]);
  });
});
