import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { newTraffic, type Traffic } from './traffic.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const received: string[] = [];
/** The keys that the channel from outside the repository was called with. */
const boarded: (string | undefined)[] = [];
let traffic: Traffic;
let receiver: Server;
let webhook: string;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const { type } = JSON.parse((await request.toArray()).join(''));
    if (type) received.push(type);
    else boarded.push(request.headers.authorization);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  webhook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  traffic = await newTraffic(4);
});
afterAll(() => receiver.close());

describe('alerts', () => {
  it('are made at a widget, tell their secret once, and call whom they should', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Tokens', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('too many');
    await page.getByRole('dialog').getByLabel('Series').selectOption('output');
    await page.getByLabel('Threshold').fill('5000');
    await page.getByLabel('Tells by').selectOption({ label: 'Webhook' });
    await page.getByLabel('url', { exact: true }).fill(webhook);
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('dialog', { name: 'Secret of the signatures' })
      .getByText(/^whsec_/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Alerts (1)' }).click();
    await page.getByRole('row', { name: /too many.*Tokens.*above 5000 for one hour.*Webhook/ }).waitFor();
    await page.getByRole('link', { name: 'too many' }).click();
    await page.getByText('Tokens, output').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was delivered: 204.').waitFor();
    expect(received).toEqual(['alert.test']);
    await page
      .getByRole('region', { name: 'Notifications sent' })
      .getByRole('row', { name: /alert\.test.*delivered.*204/ })
      .waitFor();
  });

  it('are changed, switched off and deleted', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Traces', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('silence');
    await page.getByLabel('Trigger when value is').selectOption('below');
    await page.getByLabel('Threshold').fill('1');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('article', { name: 'Traces', exact: true }).getByTitle('Alert silence').click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Consecutive periods').fill('3');
    await page.getByLabel('Watches').selectOption('its drift from the days before');
    await page.getByLabel('Reference (days)').fill('14');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('drift from the 14 days before below 1 for 3 hours in a row').waitFor();
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/trends\/alerts$/);
    await page.getByRole('link', { name: 'silence' }).waitFor({ state: 'detached' });
  });

  it('keep what was typed into their form when the page loads them again meanwhile', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Traces', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('typed over');
    await page.getByLabel('Threshold').fill('1');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('article', { name: 'Traces', exact: true }).getByTitle('Alert typed over').click();
    await page.getByRole('button', { name: 'Switch off' }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/alerts\/[^/]+$/, async (route) => {
      if (route.request().method() === 'GET') await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Switch off' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Threshold').fill('7');
    await page.getByLabel('Alert on no data after').fill('5');
    held.resolve();
    await page.getByText('Switch on', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Threshold').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('above 7 for one hour').waitFor();
  });

  it('tell by any channel that is installed, by a form made of its settings', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Traces', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('to a channel');
    await page.getByLabel('Threshold').fill('1000');
    const tells = page.getByLabel('Tells by');
    expect(await tells.getByRole('option').allTextContents()).toEqual([
      'Nobody',
      'Board',
      'E-mail',
      'PagerDuty',
      'Slack',
      'Webhook',
    ]);
    await tells.selectOption({ label: 'E-mail' });
    await page.getByLabel('to', { exact: true }).fill('on-call@example.org');
    await tells.selectOption({ label: 'Board' });
    await page.getByLabel('endpoint', { exact: true }).fill(webhook);
    await page.getByLabel('token', { exact: true }).fill('secret-of-the-board');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('article', { name: 'Traces', exact: true }).getByTitle('Alert to a channel').click();
    await page.getByText(webhook).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was delivered: 204.').waitFor();
    expect(boarded).toEqual(['Bearer secret-of-the-board']);

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Threshold').fill('2000');
    expect(await page.getByLabel('token', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('above 2000 for one hour').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page
      .getByRole('region', { name: 'Notifications sent' })
      .getByRole('row', { name: /alert\.test.*delivered.*204/ })
      .nth(1)
      .waitFor();
    expect(boarded).toEqual(['Bearer secret-of-the-board', 'Bearer secret-of-the-board']);
    expect(await page.content()).not.toContain('secret-of-the-board');

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Set Board anew').check();
    expect(await page.getByLabel('endpoint', { exact: true }).inputValue()).toBe(webhook);
    await page.getByLabel('token', { exact: true }).fill('another-secret');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page
      .getByRole('region', { name: 'Notifications sent' })
      .getByRole('row', { name: /alert\.test.*delivered.*204/ })
      .nth(2)
      .waitFor();
    expect(boarded.at(-1)).toBe('Bearer another-secret');

    await page.getByRole('button', { name: 'Edit' }).click();
    await tells.selectOption({ label: 'Nobody' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('nobody').waitFor();
    expect(await page.getByRole('button', { name: 'Send a test' }).isDisabled()).toBe(true);
  });

  it('say why they are refused', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Traces', exact: true }).click();
    await page.getByLabel('Threshold').fill('1');
    await page.getByLabel('Tells by').selectOption({ label: 'Webhook' });
    await page.getByLabel('url', { exact: true }).fill('http://10.0.0.1/hook');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('is not a URL that may be called').waitFor();
  });

  it('take the threshold of a duration with its unit', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Trace latency', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('too slow');
    await page.getByLabel('Threshold').fill('slow');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('"slow" is not a duration').waitFor();
    await page.getByLabel('Threshold').fill('1.5 s');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Alerts/ }).click();
    await page.getByRole('row', { name: /too slow.*above 1\.5 s for one hour/ }).waitFor();
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open(`${traffic.path}/trends/alerts`, { theme });
    await page.getByRole('link', { name: 'too many' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'too many' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await expectAccessible(page);
  });
});
