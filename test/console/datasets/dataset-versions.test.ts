import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { datasetOfDemo, edit, makeDataset, type Row, readRows } from '../fixtures/dataset-fixture.ts';
import { screenshot } from '../screenshot.ts';
import { visitor } from '../visit.ts';

const browser = visitor();

/** Three versions: one row changed, then one deleted and one added. */
async function changedDataset(): Promise<string> {
  const { id } = await makeDataset([{ input: 'It takes 5 days' }, { input: 'stays' }, { input: 'goes' }]);
  const [first, , last] = await readRows(id);
  await edit(id, { edit_type: 'update_row', row_id: first!.row_id, values: { input: 'It takes 8 days' } });
  await edit(id, { edit_type: 'delete_row', row_id: last!.row_id }, { edit_type: 'append_row', values: { input: 'comes' } });
  return id;
}

describe('versions', () => {
  it('say what each changed, and are named', async () => {
    const page = await browser.open(`/datasets/${await changedDataset()}/versions`);
    const newest = page.getByRole('row', { name: 'Version 3' });
    expect(await newest.textContent()).toContain('1 row added, 1 row deleted');
    await newest.getByRole('button', { name: 'Name' }).click();
    await page.getByLabel('Name', { exact: true }).fill('before the release');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'before the release' }).waitFor();
  });

  it('are looked at as they were, and become the current one again', async () => {
    const id = await changedDataset();
    const page = await browser.open(`/datasets/${id}?version=1`);
    await page.getByRole('button', { name: 'Row 3, input: goes' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add row' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Go back to it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back to it' }).click();
    await page.getByRole('button', { name: 'Add row' }).waitFor();
    expect((await readRows(id)).map(({ values_dict }) => values_dict.input)).toEqual(['It takes 5 days', 'stays', 'goes']);
  });
});

describe('the difference of two versions', () => {
  it('marks the words that changed, beside the rows that came and went', async () => {
    const page = await browser.open(`/datasets/${await changedDataset()}/diff?from=1&to=3`);
    const edited = page.getByRole('region', { name: 'Row 1, edited' });
    expect(await edited.getByRole('deletion').textContent()).toBe('5');
    expect(await edited.getByRole('insertion').textContent()).toBe('8');
    expect(await page.getByRole('region', { name: 'Row 3, deleted' }).textContent()).toContain('goes');
    expect(await page.getByRole('region', { name: 'Row 3, added' }).textContent()).toContain('comes');
    await page.getByRole('button', { name: 'Swap' }).click();
    expect(await edited.getByRole('deletion').filter({ hasText: '8' }).textContent()).toBe('8');
  });

  it.each(['dark', 'light'] as const)('can be read by everybody, %s', async (theme) => {
    const id = await demoDiff();
    const page = await browser.open(`/datasets/${id}/diff?from=1&to=2`, { theme });
    await page.getByRole('region', { name: 'Row 1, edited' }).waitFor();
    await expectAccessible(page);
    if (theme === 'light') await screenshot(page, 'dataset-diff');
  });
});

/** Edits the demo's conversations before they serve as ground truth. */
async function demoDiff(): Promise<string> {
  const { id } = await datasetOfDemo('Bicycle shop support', `Bicycle shop questions ${randomUUID().slice(0, 4)}`, 8);
  const [first, second, third, fourth] = await readRows(id);
  const rewritten = ({ row_id, values_dict }: Row, from: string, to: string) => {
    expect(values_dict.output).toContain(from);
    return { edit_type: 'update_row', row_id, values: { output: values_dict.output!.replace(from, to) } };
  };
  await edit(
    id,
    rewritten(first!, '5 to 8 working days from dispatch with FreightLine', '4 to 7 working days with FreightLine'),
    rewritten(second!, 'von zwei Jahren', 'von 24 Monaten'),
    { edit_type: 'delete_row', row_id: third!.row_id },
    rewritten(fourth!, 'Le aconsejo la S, que', 'Le aconsejamos la S:'),
    {
      edit_type: 'append_row',
      values: { input: 'Do you send frames to Norway?', output: 'Yes, with FreightLine, in 6 to 9 working days.' },
    },
  );
  return id;
}
