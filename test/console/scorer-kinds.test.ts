import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { visitor } from './visit.ts';

const browser = visitor();

describe('a kind of scorers from a plugin', () => {
  it.each(['light', 'dark'] as const)(
    'is offered, and its versions are written in a form made from its schema, %s',
    async (theme) => {
      const name = `few ${randomUUID()}`;
      const page = await browser.open('/scorers', { theme });
      await page.getByRole('button', { name: 'New scorer' }).click();
      await page.getByRole('radio', { name: /^Few words/ }).check();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name }).waitFor();
      await page.getByLabel(/max.words/i).fill('0');
      await page.getByRole('button', { name: 'Save as new version' }).click();
      await page.getByText(/>=1/).waitFor();
      await page.getByLabel(/max.words/i).fill('7');
      await page.getByRole('button', { name: 'Save as new version' }).click();
      await page.getByRole('link', { name: 'version 1' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'version 1' }).click();
      await page.getByRole('heading', { name: 'Version 1' }).waitFor();
      await page.getByRole('term').filter({ hasText: 'max_words' }).waitFor();
      await page.getByRole('link', { name: 'Definition' }).click();
      await page.waitForURL(/editor/);
      expect(await page.getByLabel(/max.words/i).inputValue()).toBe('7');
    },
  );
});
