import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLACE_PATHS, type PlacePath } from '../../../console/shell/place-paths.ts';
import { visitor } from '../visit.ts';
import { DESK, listFaults, PHONE, settle } from './faults.ts';
import { makeSamples, type Samples } from './samples.ts';

const browser = visitor();
let samples: Samples;
let page: Page;

/** Views that are a list: its first row is seen at once, in the upper half of a phone. */
const LISTS: ReadonlySet<string> = new Set<PlacePath>([
  ...([
    '/',
    '/prompts',
    '/integrations',
    '/people',
    '/people/groups',
    '/people/keys',
    '/audit',
    '/datasets',
    '/scorers',
  ] as const),
  '/projects/:project_id/experiments',
  '/projects/:project_id/experiments/:experiment_id/records',
  '/projects/:project_id/annotation',
  '/projects/:project_id/log_streams/:log_stream_id',
  '/projects/:project_id/log_streams/:log_stream_id/trends/alerts',
  '/datasets/:dataset_id/versions',
]);

beforeAll(async () => {
  samples = await makeSamples();
  page = await browser.open('/');
});

/** Every route that there is: one without an address to look at fails. */
describe('every view, for everybody: axe in both themes, 390 px, from right to left', () => {
  it.each(PLACE_PATHS)('%s', async (path) => {
    const addresses = samples[path] ?? [];
    expect(addresses).not.toEqual([]);
    const faults: string[] = [];
    for (const [at, address] of addresses.entries()) {
      await page.goto(`${page.url().split('#')[0]}#${address}`);
      await settle(page);
      // The first one is the view as people know it: neither missing nor failed.
      if (at === 0) {
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
        if (LISTS.has(path)) expect(await measureFirstRow(page)).toBeLessThan(PHONE.height / 2);
      }
      faults.push(...(await listFaults(page)).map((fault) => `${address}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  it('there is no sample of a route that is gone', () => {
    expect(Object.keys(samples).filter((path) => !(PLACE_PATHS as readonly string[]).includes(path))).toEqual([]);
  });

  it('a place that does not exist', async () => {
    await page.goto(`${page.url().split('#')[0]}#/no/such/place`);
    await page.getByText('Page not found').waitFor();
    expect(await listFaults(page)).toEqual([]);
  });

  it('signing in and signing up', async () => {
    const out = await browser.open('/people', { signedIn: false });
    await out.getByRole('button', { name: 'Sign in' }).waitFor();
    const faults = await listFaults(out);
    await out.getByRole('button', { name: 'API key' }).click();
    faults.push(...(await listFaults(out)));
    const invited = await browser.open('/signup/no-such-code', { signedIn: false });
    await invited.getByRole('button', { name: 'Sign up' }).waitFor();
    expect([...faults, ...(await listFaults(invited))]).toEqual([]);
  });
});

/** Where the first row of a list begins on a phone, in px. */
async function measureFirstRow(list: Page): Promise<number> {
  await list.setViewportSize(PHONE);
  const { y } = (await list.locator('main tbody tr').first().boundingBox())!;
  await list.setViewportSize(DESK);
  return y;
}
