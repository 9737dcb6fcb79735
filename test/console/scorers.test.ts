import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { consoleApi, newScorer } from './fixtures/scorer-fixture.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const api = consoleApi();

describe('scorers', () => {
  it('are listed without presets, which stand apart, and found by name and tag', async () => {
    const tag = `tag-${randomUUID()}`;
    const { name } = await newScorer(api, { tags: [tag] });
    const page = await browser.open('/scorers');
    await page.getByRole('link', { name: 'reply_quality' }).waitFor();
    expect(await page.getByRole('row', { name: 'Word Count Words' }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'With the tag' }).selectOption(tag);
    await page.getByRole('link', { name: 'reply_quality' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name }).waitFor();
    await page.getByRole('combobox', { name: 'With the tag' }).selectOption('Any tag');
    await page.getByRole('button', { name: 'Presets' }).click();
    await page.getByRole('searchbox', { name: 'Find scorers by name' }).fill('word_c');
    await page.getByRole('row', { name: 'Word Count Words' }).waitFor();
    await page.waitForURL(/kind=preset.*name=word_c/);
  });

  it('are made, written for the first time, changed and deleted', async () => {
    const name = `made ${randomUUID()}`;
    const page = await browser.open('/scorers');
    await page.getByRole('button', { name: 'New scorer' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByRole('link', { name: 'version 1' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('Looks for manners.');
    await page.getByLabel('Tags').fill('manners, tone');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Looks for manners.').waitFor();
    await page.getByText('Not used yet').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Scorers' }).waitFor();
  });

  it('tell where they are enabled', async () => {
    const page = await browser.open('/scorers');
    await page.getByRole('link', { name: 'reply_quality' }).click();
    await page.getByRole('link', { name: 'Touchstone demo' }).click();
    await page.waitForURL(new RegExp(`projects/${getTestConsole().project_id}`));
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const page = await browser.open('/scorers', { theme });
    await page.getByRole('link', { name: 'reply_quality' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New scorer' }).click();
    await page.getByLabel('Name', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'reply_quality' }).click();
    await page.getByRole('link', { name: 'Touchstone demo' }).waitFor();
    await expectAccessible(page);
  });
});
