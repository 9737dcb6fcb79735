import { globSync, readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { settle } from './faults.ts';

/** Element that begins what can be filled in or decided in a dialog, as `kit/dialog.tsx` chooses it. */
const FIRST_FIELD = ':is(input:not([type=hidden]), select, textarea, footer button):not(:disabled)';

/** Buttons that open a dialog and are in sight, each with what it says: of those that are alike in each row, the first. */
export async function listOpeners(page: Page): Promise<Map<string, Locator>> {
  const openers = new Map<string, Locator>();
  for (const one of await page.locator('[aria-haspopup=dialog]:not(:disabled)').filter({ visible: true }).all()) {
    const text = (await one.innerText()).trim();
    if (!openers.has(text)) openers.set(text, one);
  }
  return openers;
}

/** Opens a dialog by the keyboard alone, and returns its title and what is wrong with where the focus is. */
export async function openByKey(page: Page, opener: Locator): Promise<{ title: string; faults: string[] }> {
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const title = (await dialog.getByRole('heading').first().innerText()).trim();
  // Fields may be on their way.
  await settle(page);
  const isFirst = () =>
    dialog.evaluate((element, selector) => {
      const { document } = globalThis as unknown as { document: { activeElement: unknown } };
      const first = (element as unknown as { querySelector(selector: string): unknown }).querySelector(selector);
      return first === null || document.activeElement === first;
    }, FIRST_FIELD);
  return { title, faults: (await isFirst()) ? [] : ['the focus is not in the first field'] };
}

/** Closes a dialog by Escape, and returns what is wrong with where the focus goes. */
export async function closeByKey(page: Page, opener: Locator): Promise<string[]> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const isBack = await opener.evaluate((element) => element.matches(':focus'));
  return isBack ? [] : ['the focus is not back at the button'];
}

export interface DialogTitle {
  readonly where: string;
  readonly title: RegExp;
}

const DIALOG = /<(?:Form)?Dialog\b[\s\S]*?\btitle=(?:"([^"]+)"|\{((?:[^{}]|\{[^{}]*\})*)\})/g;

/** Titles of the dialogs that the console has, by its sources: those that are built are patterns. */
export function listDialogTitles(): DialogTitle[] {
  return globSync('console/**/*.tsx', { exclude: ['console/dist/**'] }).flatMap((where) =>
    [...readFileSync(where, 'utf8').matchAll(DIALOG)].flatMap(([, literal, expression]) =>
      (literal === undefined ? toPatterns(expression!) : [RegExp.escape(literal)]).map((title) => ({
        where,
        title: new RegExp(`^${title}$`),
      })),
    ),
  );
}

/** Of the texts in an expression; none where a part above it gives the title. */
const toPatterns = (expression: string): string[] =>
  [...expression.matchAll(/'([^']+)'|`([^`]+)`/g)].map(([, text, template]) =>
    text === undefined
      ? template!
          .split(/\$\{[^}]*\}/)
          .map((part) => RegExp.escape(part))
          .join('.*')
      : RegExp.escape(text),
  );
