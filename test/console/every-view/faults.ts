import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { PATIENCE_MS } from '../../setup/timing.ts';
import { listAxeFaults } from '../axe.ts';

export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 800 };
/** Rules that depend on the theme. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

const LOOK_MS = 100;

/** Rules that depend on the width: what scrolls can be reached by keys. */
const OF_WIDTH = ['scrollable-region-focusable'];

/** Waits until a view has loaded its parts: nothing was under way at three looks that follow each other. */
export async function settle(page: Page): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let calm = 0; calm < 3; ) {
    const busy = (await page.evaluate(BUSY)) as string[];
    calm = busy.length === 0 ? calm + 1 : 0;
    if (Date.now() > deadline) throw new Error(`${page.url()} does not finish loading: ${busy.join(', ')}`);
    await sleep(LOOK_MS);
  }
}

const BUSY = `(() => {
  const waiting = [...document.querySelectorAll('p.waiting, .skeleton')].filter((one) => one.checkVisibility());
  const counting = [...document.querySelectorAll('[role=status]')].filter((one) => /^(Loading|Counting|No whole)/.test(one.textContent.trim()));
  const parts = [...waiting, ...counting].map((one) => one.outerHTML.slice(0, 200));
  return document.querySelector('main')?.childElementCount > 0 ? parts : ['an empty page'];
})()`;

/** Lists faults of what is on the screen: by axe in both themes, on a phone, and there from right to left. It leaves the page as it was. */
export async function listFaults(page: Page, within?: string): Promise<string[]> {
  const light = await listAxeFaults(page, { within });
  await page.evaluate("document.documentElement.dataset.bsTheme = 'dark'");
  const dark = await listAxeFaults(page, { rules: OF_COLORS, within });
  await page.evaluate("document.documentElement.dataset.bsTheme = 'light'");
  await page.setViewportSize(PHONE);
  const phone = [...(await listPhoneFaults(page)), ...(await listAxeFaults(page, { rules: OF_WIDTH, within }))];
  await page.evaluate("document.documentElement.dir = 'rtl'");
  const mirrored = await listPhoneFaults(page);
  await page.evaluate("document.documentElement.dir = ''");
  await page.setViewportSize(DESK);
  const named = (where: string, faults: readonly string[]): string[] => faults.map((fault) => `${where}: ${fault}`);
  return [...named('light', light), ...named('dark', dark), ...named('390 px', phone), ...named('390 px, rtl', mirrored)];
}

const listPhoneFaults = (page: Page): Promise<string[]> => page.evaluate(PHONE_FAULTS) as Promise<string[]>;

/** Runs in the page: what makes it scroll sideways, what is cut off at its edges, and a menu of more than one line. */
const PHONE_FAULTS = `(async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const { clientWidth, scrollWidth } = document.documentElement;
  const faults = scrollWidth > clientWidth ? ['the page is ' + scrollWidth + ' px wide'] : [];
  const name = (one) => one.tagName.toLowerCase() + (one.className ? '.' + String(one.className).replace(/ +/g, '.') : '') + ' "' + one.textContent.trim().slice(0, 40) + '"';
  const scrolls = (one) => ['auto', 'scroll'].includes(getComputedStyle(one).overflowX);
  const isReached = (one) => { for (let at = one.parentElement; at; at = at.parentElement) if (scrolls(at) && at !== document.documentElement) return true; return false; };
  const isHidden = (one) => !one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || one.closest('.visually-hidden, .visually-hidden-focusable, [aria-hidden=true]');
  const dialog = document.querySelector('dialog[open]');
  for (const one of (dialog ?? document.body).querySelectorAll('*')) {
    const ownText = [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== '');
    const isControl = one.matches('button, input:not([type=hidden]), select, textarea, a');
    if ((!ownText && !isControl) || isHidden(one)) continue;
    const { left, right, width } = one.getBoundingClientRect();
    if (width > 0 && !isReached(one) && (left < -1 || right > clientWidth + 1)) faults.push('cut off at the edge: ' + name(one));
    const style = getComputedStyle(one);
    if (ownText && style.display !== 'inline' && ['hidden', 'clip'].includes(style.overflowX) && style.textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 1)
      faults.push('clipped: ' + name(one));
  }
  const menu = document.querySelector('header.top');
  if (menu && menu.getBoundingClientRect().height > 64) faults.push('the menu is ' + menu.getBoundingClientRect().height + ' px high');
  return faults.slice(0, 5);
})()`;
