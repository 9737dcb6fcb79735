import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alert } from '../../core/trends/alert.ts';
import { expectAccessible } from './axe.ts';
import { callTestConsole } from './console-api.ts';
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
    await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'Webhook' });
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
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable' }).waitFor();
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
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/alerts\/[^/]+$/, async (route) => {
      if (route.request().method() === 'GET') await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Threshold').fill('7');
    await page.getByLabel('Alert on no data after').fill('5');
    held.resolve();
    await page.getByText('Enable', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Threshold').inputValue()).toBe('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('above 7 for one hour').waitFor();
  });

  it('tell by any channel that is installed, by a form made of its settings', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Traces', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('to a channel');
    await page.getByLabel('Threshold').fill('1000');
    const tells = page.getByLabel('Channel', { exact: true });
    expect(await tells.getByRole('option').allTextContents()).toEqual([
      'Routes of the project',
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
    await tells.selectOption({ label: 'Routes of the project' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('routes of the project', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Send a test' }).isDisabled()).toBe(true);
  });

  it('take a severity, reminders, quiet hours, a time until which they are muted, and what missing data do', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Traces', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('telling');
    await dialog.getByLabel('Threshold').fill('1000');
    await dialog.getByLabel('Alert on no data after').fill('3');
    await dialog.getByLabel('Severity').selectOption('Critical');
    await dialog.getByLabel('Without data').selectOption('Count as ok');
    await dialog.getByLabel('Remind every').fill('30');
    await dialog.getByLabel('Mute until').fill('2100-01-02T03:04');
    await dialog.getByLabel('From').fill('22:00');
    await dialog.getByLabel('Until', { exact: true }).fill('06:30');
    await dialog.getByLabel('Time zone').fill('Moon/Sea');
    await dialog.getByLabel('Sat').uncheck();
    await dialog.getByLabel('Sun').uncheck();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Time zone').fill('Europe/Berlin');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('article', { name: 'Traces', exact: true }).getByTitle('Alert telling').click();
    await page.getByText('critical', { exact: true }).waitFor();
    await page.getByText('Muted until').waitFor();
    const told = async () => {
      const { alerts } = await callTestConsole<{ alerts: Alert[] }>('GET', `${traffic.path}/trends/alerts`);
      const { severity, no_data, no_data_buckets, reminder_minutes, muted_until, quiet_hours } = alerts.find(
        ({ name }) => name === 'telling',
      )!;
      return { severity, no_data, no_data_buckets, reminder_minutes, is_muted: muted_until !== null, quiet_hours };
    };
    const quiet_hours = { time_zone: 'Europe/Berlin', days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], from: '22:00', until: '06:30' };
    const given = { severity: 'critical', no_data: 'ok', no_data_buckets: 3, reminder_minutes: 30, is_muted: true, quiet_hours };
    expect(await told()).toEqual(given);

    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('Mute until').inputValue()).toBe('2100-01-02T03:04');
    expect(await dialog.getByLabel('Sat').isChecked()).toBe(false);
    await dialog.getByLabel('Mute until').fill('');
    await dialog.getByLabel('From').fill('');
    await dialog.getByLabel('Severity').selectOption('Info');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('info', { exact: true }).waitFor();
    expect(await told()).toEqual({ ...given, severity: 'info', is_muted: false, quiet_hours: null });
  });

  it('lead to the chart that they watch, alone, and from there back to all', async () => {
    const page = await browser.open(`${traffic.path}/trends/alerts`);
    await page.getByRole('link', { name: 'too many' }).click();
    await page.getByRole('link', { name: 'Tokens', exact: true }).click();
    await page.getByRole('article', { name: 'Tokens', exact: true }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.getByRole('link', { name: 'All widgets' }).click();
    await page.getByRole('article', { name: 'Traces', exact: true }).waitFor();
  });

  it('go by the routes of the project, which are made, tried, changed and removed in its settings', async () => {
    const page = await browser.open(`/projects/${traffic.project_id}/settings`);
    const section = page.getByRole('region', { name: 'Alert routes' });
    await section.getByRole('button', { name: 'Add route' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('on call');
    await dialog.getByLabel('info').uncheck();
    await dialog.getByLabel('Channel', { exact: true }).selectOption({ label: 'Webhook' });
    await dialog.getByLabel('url', { exact: true }).fill('http://10.0.0.1/');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('alert').getByText('is not a URL that may be called').waitFor();
    await dialog.getByLabel('url', { exact: true }).fill(webhook);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = page.getByRole('dialog', { name: 'Secret of the signatures' });
    await secret.getByText(/^whsec_/).waitFor();
    await page.keyboard.press('Escape');
    const row = section.getByRole('row', { name: /on call.*warning, critical.*Webhook/ });
    received.length = 0;
    await row.getByRole('button', { name: 'Send a test' }).click();
    await row.getByText('The test was delivered: 204.').waitFor();
    expect(received).toEqual(['alert.test']);
    await row.getByRole('button', { name: 'New secret' }).click();
    await secret.getByText(/^whsec_/).waitFor();
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'Edit' }).click();
    await expectAccessible(page);
    await dialog.getByLabel('warning').uncheck();
    await dialog.getByLabel('Channel', { exact: true }).selectOption({ label: 'E-mail' });
    await dialog.getByLabel('to', { exact: true }).fill('on-call@example.org');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const changed = section.getByRole('row', { name: /on call.*critical.*E-mail/ });
    await changed.waitFor();
    await expectAccessible(page);
    await changed.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await changed.waitFor({ state: 'detached' });
  });

  it('say why they are refused', async () => {
    const page = await browser.open(`${traffic.path}/trends?range=24h`);
    await page.getByRole('button', { name: 'Add an alert to Traces', exact: true }).click();
    await page.getByLabel('Threshold').fill('1');
    await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'Webhook' });
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
