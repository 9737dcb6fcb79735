import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { visitor } from '../visit.ts';

const browser = visitor();
const name = `prompt ${randomUUID()}`;
let page: Page;
let place: string;

beforeAll(async () => {
  page = await browser.open('/prompts');
});

describe('prompts', () => {
  it('are written, found by name, and opened', async () => {
    await page.getByRole('button', { name: 'New prompt' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByLabel('Prompt text').fill('Answer {{input}}.\nBe brief.');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name }).waitFor();
    place = new URL(page.url()).hash.slice(1);
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Prompts' }).click();
    await page.getByRole('searchbox', { name: 'Find prompts by name' }).fill(name);
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  it('get a next version, and a label that moves to it', async () => {
    const label = async (version: string): Promise<void> => {
      const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: new RegExp(`^${version}( |$)`) }) });
      await row.getByRole('button', { name: 'Add label' }).click();
      await page.getByRole('dialog').getByLabel('Label').fill('production');
      await page.getByRole('dialog').getByRole('button', { name: 'Add label' }).click();
      await row.getByText('production').waitFor();
    };
    await label('1');
    await page.getByRole('button', { name: 'New version' }).click();
    await page.getByRole('dialog').getByLabel('Prompt text').fill('Answer {{input}}.\nBe kind.');
    await page.getByRole('dialog').getByLabel('Commit message').fill('kinder');
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByText('kinder').waitFor();
    await label('2');
    expect(await page.getByText('production', { exact: true }).count()).toBe(1);
    await page.getByRole('row').filter({ hasText: 'kinder' }).getByRole('button', { name: 'Copy as curl' }).waitFor();
    await expectAccessible(page);
  });

  it('show what differs between two versions, line by line, and the other way round', async () => {
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByText('1 lines added, 1 removed').waitFor();
    expect(await page.getByRole('deletion').textContent()).toBe('− Be brief.');
    expect(await page.getByRole('insertion').textContent()).toBe('+ Be kind.');
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.getByRole('insertion').filter({ hasText: 'Be brief.' }).waitFor();
  });

  it('show what their versions were called for in a project, and lead to the calls', async () => {
    const project = await callTestConsole<{ id: string }>('POST', '/projects', { name: `usage ${randomUUID()}` });
    const stream = await callTestConsole<{ id: string }>('POST', `/projects/${project.id}/log_streams`, { name: 'default' });
    const spans = [
      {
        type: 'llm',
        name: 'greeting',
        input: 'a',
        output: 'b',
        prompt_name: name,
        prompt_version: 2,
        metrics: { duration_ns: 2e9 },
      },
    ];
    await callTestConsole('POST', `/projects/${project.id}/traces`, {
      log_stream_id: stream.id,
      traces: [{ input: 'a', metrics: { right: 0.5 }, spans }],
    });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByLabel('Project').selectOption(project.id);
    const row = page.getByRole('row').filter({ hasText: 'Version 2' });
    await eventually(async () => {
      await page.reload();
      expect(await row.getByRole('cell').nth(1).textContent({ timeout: 5_000 })).toBe('1');
    });
    // A score of the trace as a whole stands in a column of its own.
    expect(await row.getByRole('cell').allTextContents()).toEqual(expect.arrayContaining(['–', 'right 0.5']));
    await row.getByRole('button', { name: 'Version 2' }).click();
    await page.getByRole('heading', { name: 'Version 2 by day' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'default' }).click();
    await page.getByRole('cell', { name: 'greeting', exact: true }).waitFor();
    await page.goBack();
  });

  it('keep who moved which label from which version to which', async () => {
    await page.getByRole('link', { name: 'Label history' }).click();
    const rows = page.locator('tbody tr');
    // Rows of the part before stand there until these have come.
    await expect.poll(() => rows.first().textContent()).toMatch(/^production12admin@example\.org/);
    expect(await rows.nth(1).textContent()).toMatch(/^production–1/);
  });

  it('are shared with a user, and renamed', async () => {
    await page.getByRole('link', { name: 'Sharing' }).click();
    await page.getByRole('button', { name: 'Share with a user' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill(`${randomUUID()}@example.org`);
    await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click();
    // Nobody with this address: the service says so, and the dialog stays.
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(`${name}, renamed`);
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: `${name}, renamed`, level: 1 }).waitFor();
  });

  it('can be read by everybody, in the dark too', async () => {
    const dark = await browser.open(`${place}?part=compare`, { theme: 'dark' });
    await dark.getByRole('insertion').waitFor();
    await expectAccessible(dark);
  });
});
