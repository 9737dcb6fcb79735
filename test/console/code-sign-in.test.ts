import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodeIssuer } from '../setup/code-issuer.ts';
import { endEverything, makeDataDir, startService } from '../system/service.ts';
import { expectAccessible } from './axe.ts';
import { visitor } from './visit.ts';

let issuer: CodeIssuer;
let url: string;

beforeAll(async () => {
  issuer = await CodeIssuer.start();
  const port = await getFreePort();
  url = `http://127.0.0.1:${port}/`;
  const { settings, ...social } = issuer.provider();
  const SOCIAL_PROVIDERS = JSON.stringify({ okta: { ...settings, ...social } });
  await startService(await makeDataDir(), { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, SOCIAL_PROVIDERS });
});
afterAll(async () => {
  await endEverything();
  await issuer.stop();
});
// After what it looks at: what began last ends first.
const browser = visitor();

/** The provider has to know where it sends browsers back to before the service starts. */
async function getFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('signing in by a provider with a code', () => {
  it('leads there and back to the place one wanted, and leaves no code in the address', async () => {
    issuer.tampered = {};
    const page = await browser.open('/people', { url, signedIn: false });
    const button = page.getByRole('button', { name: 'Sign in with Okta' });
    await button.waitFor();
    await expectAccessible(page);
    await button.click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByText('ada@example.org').first().waitFor();
    expect(page.url()).toBe(`${url}#/people`);
    await page.reload();
    await page.getByRole('heading', { name: 'People' }).waitFor();
  });

  it.each([
    ['that this tab did not ask for', { state: 'of-somebody-else' }, 'not begun in this tab'],
    ['that comes from elsewhere', { iss: 'https://other.example' }, 'not valid'],
    ['with a code that is not good', { code: 'of-somebody-else' }, 'not valid'],
  ])('refuses an answer %s', async (_name, changes, message) => {
    issuer.tampered = changes;
    const page = await browser.open('/', { url, signedIn: false });
    await page.getByRole('button', { name: 'Sign in with Okta' }).click();
    expect(await page.getByRole('alert').textContent()).toContain(message);
    expect(page.url()).not.toContain('code=');
  });
});
