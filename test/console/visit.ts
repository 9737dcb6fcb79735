import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject } from 'vitest';
import { launchBrowser } from './browser.ts';
import { getTestConsole } from './test-console.ts';

/** Browser session of the console's tests. Each visit is a browser profile of its own. */
export interface Visitor {
  /** A page at `place`, what stands behind `#`, signed in unless told otherwise. */
  open(place: string, options?: VisitOptions): Promise<Page>;
}

export interface VisitOptions {
  readonly signedIn?: boolean;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly locale?: string;
  readonly timezone?: string;
  /** In place of the service's own address; for what stands between. */
  readonly url?: string;
}

/** A busy machine is no failure. */
const STEP_MS = 60_000;

/** One for all files: those of a run share a process, with which it ends. */
let launched: Promise<Browser> | undefined;

/**
 * Looks at the console by the browser of the run. What a page writes to its console as an error, refuses by
 * its content security policy or throws fails the test file.
 */
export function visitor(): Visitor {
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    if (inject('browserMissing') !== null) return;
    launched ??= launchBrowser();
    browser = await launched;
  });
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    expect(complaints).toEqual([]);
  });
  return {
    async open(place, { signedIn = true, theme = 'light', width = 1280, height = 800, locale = 'en-GB', timezone, url } = {}) {
      const testConsole = getTestConsole();
      const base = url ?? `${testConsole.url}/`;
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        locale,
        ...(timezone && { timezoneId: timezone }),
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      context.setDefaultTimeout(STEP_MS);
      if (signedIn) await context.request.post(`${base}v2/login/api_key`, { data: { api_key: testConsole.api_key } });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error' && !isRefusal(message.text())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${base}#${place}`);
      return page;
    },
  };
}

/** The browser itself notes every response that is not 2xx, and every request that a test aborts; what a view does with one is for its own test. */
const isRefusal = (text: string): boolean =>
  /^Failed to load resource: (the server responded with a status of|net::ERR_FAILED)/.test(text);
