import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SocialIssuer } from '../setup/social-issuer.ts';
import { endEverything, makeDataDir, startService } from '../system/service.ts';
import { expectAccessible } from './axe.ts';
import { visitor } from './visit.ts';

const EMAIL = 'ada@example.org';
let issuer: SocialIssuer;
let url: string;

beforeAll(async () => {
  issuer = await SocialIssuer.start();
  issuer.answer = answer;
  const provider = { issuer: issuer.issuer, audience: 'touchstone-test', jwks_url: `${issuer.issuer}/keys`, sign_up_domains: [] };
  const service = await startService(await makeDataDir(), { SOCIAL_PROVIDERS: JSON.stringify({ okta: provider }) });
  url = `${service.url}/`;
});
afterAll(async () => {
  await endEverything();
  await issuer.stop();
});
// After what it looks at: what began last ends first.
const browser = visitor();

/** Claims that the issuer forges; none when it is honest. */
let tampered: Readonly<Record<string, string>> = {};

/** Whoever comes is Ada, and is sent back at once, as by an issuer that knows its visitor. */
async function answer(path: string) {
  if (path.startsWith('/.well-known/')) return issuer.description();
  if (!path.startsWith('/authorize')) return issuer.keySet([issuer.key]);
  const asked = new URL(path, issuer.issuer).searchParams;
  const nonce = tampered.nonce ?? asked.get('nonce');
  const id_token = await issuer.token({ nonce, email: EMAIL, email_verified: true });
  const back = new URLSearchParams({ id_token, state: tampered.state ?? asked.get('state') ?? '' });
  return { status: 302, headers: { location: `${asked.get('redirect_uri')}#${back}` }, body: '' };
}

describe('signing in by a provider', () => {
  it('leads there and back to the place one wanted, and leaves no token in the address', async () => {
    tampered = {};
    const page = await browser.open('/people', { url, signedIn: false });
    const button = page.getByRole('button', { name: 'Sign in with Okta' });
    await button.waitFor();
    await expectAccessible(page);
    await button.click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByText(EMAIL).first().waitFor();
    expect(page.url()).toBe(`${url}#/people`);
    await page.reload();
    await page.getByRole('heading', { name: 'People' }).waitFor();
  });

  it.each([
    ['for another sign-in of this person', { nonce: 'of-an-earlier-one' }, 'made for another sign-in'],
    ['that this tab did not ask for', { state: 'of-somebody-else' }, 'not begun in this tab'],
  ])('refuses an answer %s', async (_name, changes, message) => {
    tampered = changes;
    const page = await browser.open('/', { url, signedIn: false });
    await page.getByRole('button', { name: 'Sign in with Okta' }).click();
    expect(await page.getByRole('alert').textContent()).toContain(message);
    expect(page.url()).not.toContain('id_token');
  });
});
