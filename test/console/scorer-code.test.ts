import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from './axe.ts';
import { consoleApi, demoStreams, newScorer, type Stream, upload, write } from './fixtures/scorer-fixture.ts';
import { getTestConsole } from './test-console.ts';
import { visitor } from './visit.ts';

const browser = visitor();
const api = consoleApi();
const { project_id } = getTestConsole();
let stream: Stream;
beforeAll(async () => {
  stream = (await demoStreams(api))[0]!;
});

const FIRST = 'function scorer() {\n  return true;\n}\n';
const BROKEN = 'function scorer(record) {\n  const words = record.nothing.split(" ");\n  return words.length > 3;\n}\n';
const MENDED = BROKEN.replace('record.nothing', 'String(record.output)');
const place = (id: string): string => `/scorers/${id}/editor?project=${project_id}&log_stream=${stream.id}`;

describe('the code of a scorer', () => {
  it('fails on live records with the line, is mended, saved, and is the new version', async () => {
    const { id, name } = await newScorer(api);
    await upload(api, id, FIRST);
    const page = await browser.open(place(id));
    const editor = page.getByRole('textbox', { name: `Code of ${name}` });
    await write(editor, BROKEN);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/records failed/).waitFor();
    const fault = page.locator('.cm-fault');
    expect(await fault.textContent()).toContain('record.nothing.split');
    await expect.poll(() => page.locator('.cm-fault-text').textContent()).toMatch(/scorer\.js:2.*\(\d+ records\)/);
    await page.getByRole('button', { name: 'Save although it failed' }).waitFor();

    await write(editor, MENDED);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/of \d+ succeeded/).waitFor();
    expect(await fault.count()).toBe(0);
    await page.getByRole('button', { name: 'Save as new version' }).click();
    await page.getByRole('link', { name: 'version 2' }).click();

    await page.getByRole('heading', { name: 'What version 2 changed' }).waitFor();
    await page.getByText('added:').first().waitFor();
    expect(await page.getByText(/records scored/).textContent()).toMatch(/^(\d+) of \1 records scored/);
    expect(await api.get<string>(`/scorers/${id}/version/code`)).toBe(MENDED);
    await expectAccessible(page);
  });

  it('is refused by the service when nobody tried it, with what is wrong', async () => {
    const { id, name } = await newScorer(api);
    await upload(api, id, FIRST);
    const page = await browser.open(`/scorers/${id}/editor`);
    await write(page.getByRole('textbox', { name: `Code of ${name}` }), 'function scorer( {\n');
    await page.getByRole('button', { name: 'Save as new version' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('SyntaxError');
    expect((await api.get<{ version: number }>(`/scorers/${id}/version`)).version).toBe(1);
  });

  it('keeps every key of somebody who types fast', async () => {
    const { id, name } = await newScorer(api);
    await upload(api, id, FIRST);
    const page = await browser.open(place(id));
    const editor = page.getByRole('textbox', { name: `Code of ${name}` });
    await write(editor, '// ');
    const text = 'typed without a pause, and nothing of it is lost. '.repeat(4);
    // As a keyboard that is faster than the page: one task for many keys, and others while it renders.
    await Promise.all([...text].map((key) => page.keyboard.insertText(key)));
    await expect.poll(() => editor.textContent()).toBe(`// ${text}`);
  });

  it('in Python is coloured, completes the fields of a record, and shows beside each score what it printed', async () => {
    const { id, name } = await newScorer(api);
    await upload(api, id, FIRST);
    const page = await browser.open(place(id));
    const editor = page.getByRole('textbox', { name: `Code of ${name}` });
    await editor.waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('python');
    await write(editor, 'def scorer(record):\n    print("seen by its author")\n    return len(str(record');
    await page.keyboard.type('.outp');
    const offered = page.locator('.cm-tooltip-autocomplete [aria-selected=true]');
    await expect.poll(() => offered.textContent()).toMatch(/^output/);
    // By the mouse: keys do not choose from a list that opened a moment ago.
    await offered.click();
    await page.keyboard.insertText(')) > 3\n');
    expect(await editor.textContent()).toContain('record.output)) > 3');
    const keyword = page.locator('.cm-line span', { hasText: /^def$/ });
    const colour = (node: unknown): string =>
      (globalThis as unknown as { getComputedStyle(of: unknown): { color: string } }).getComputedStyle(node).color;
    const [ofKeyword, ofText] = [await keyword.evaluate(colour), await editor.evaluate(colour)];
    expect(ofKeyword).toMatch(/^rgb/);
    expect(ofKeyword).not.toBe(ofText);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/succeeded|records tried/).waitFor();
    const printed = page.locator('details', { hasText: 'printed' }).first();
    await printed.locator('summary').click();
    expect(await printed.locator('pre').textContent()).toBe('seen by its author\n');
    await expectAccessible(page);
  });

  it('takes Tab as indentation, and Escape then Tab as leaving', async () => {
    const { id, name } = await newScorer(api);
    await upload(api, id, FIRST);
    const page = await browser.open(`/scorers/${id}/editor`);
    const editor = page.getByRole('textbox', { name: `Code of ${name}` });
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Tab');
    expect(await editor.evaluate((node) => node.textContent?.startsWith('  function'))).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(
      await editor.evaluate((node) => (node.getRootNode() as unknown as { activeElement: unknown }).activeElement === node),
    ).toBe(false);
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const { id, name } = await newScorer(api);
    await upload(api, id, MENDED);
    const page = await browser.open(place(id), { theme });
    await page.getByRole('textbox', { name: `Code of ${name}` }).waitFor();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/succeeded|records tried/).waitFor();
    await expectAccessible(page);
  });

  it('of a preset is read, and copied to be changed', async () => {
    const { scorers } = await api.post<{ scorers: { id: string; name: string }[] }>('/scorers/list', {
      filters: [{ name: 'name', operator: 'eq', value: 'word_count' }],
    });
    const page = await browser.open(`/scorers/${scorers[0]!.id}/editor`);
    await page.getByRole('button', { name: 'Copy to a scorer of my own' }).click();
    await page.getByRole('heading', { name: 'word_count_copy' }).waitFor();
    await page.getByRole('button', { name: 'Save as new version' }).waitFor();
  });
});
