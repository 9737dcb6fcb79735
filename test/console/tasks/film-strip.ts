import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = resolve(import.meta.dirname, '../../../docs/screenshots');
const MAX_FRAMES = 8;
const FRAME_WIDTH = 440;

/** The pictures of one task, one before each click or input and one of its end. */
export interface FilmStrip {
  frame(): Promise<void>;
  /** Takes the last frame and keeps all of them as one picture for the documentation. */
  save(): Promise<void>;
}

const NOTHING: FilmStrip = { frame: async () => {}, save: async () => {} };

/** A film strip of a page, when the run was asked for pictures by `SCREENSHOTS=1`; else nothing is taken. */
export function filmStrip(page: Page, name: string): FilmStrip {
  if (process.env.SCREENSHOTS !== '1') return NOTHING;
  const frames: string[] = [];
  const take = async (): Promise<void> => {
    await page.locator('main').waitFor();
    await page.locator('.waiting, .skeleton').filter({ visible: true }).first().waitFor({ state: 'hidden' });
    frames.push((await page.screenshot({ type: 'jpeg', quality: 80 })).toString('base64'));
  };
  return {
    // One place is kept for the end.
    frame: async () => {
      if (frames.length < MAX_FRAMES - 1) await take();
    },
    save: async () => {
      await take();
      await mkdir(FOLDER, { recursive: true });
      const sheet = await page.context().newPage();
      await sheet.setContent(toHtml(frames));
      await sheet
        .locator('img')
        .last()
        .evaluate((image: { decode(): Promise<void> }) => image.decode());
      await sheet.locator('main').screenshot({ path: join(FOLDER, `strip-${name}.jpg`), type: 'jpeg', quality: 75 });
      await sheet.close();
    },
  };
}

function toHtml(frames: readonly string[]): string {
  const columns = Math.min(frames.length, 4);
  const figures = frames.map((data, at) => {
    const caption = at === frames.length - 1 ? 'Done' : `${at + 1}`;
    return `<figure><img width="${FRAME_WIDTH}" src="data:image/jpeg;base64,${data}"><figcaption>${caption}</figcaption></figure>`;
  });
  const style = `main { display: grid; grid-template-columns: repeat(${columns}, ${FRAME_WIDTH}px); gap: 8px; width: max-content; padding: 8px; background: #fff; font: 14px sans-serif } figure { margin: 0 } img { border: 1px solid #999 }`;
  return `<!doctype html><style>${style}</style><main>${figures.join('')}</main>`;
}
