import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from '../axe.ts';
import { callTestConsole } from '../console-api.ts';
import { edit, makeDataset, readRows } from '../fixtures/dataset-fixture.ts';
import { consoleApi, newScorer } from '../fixtures/scorer-fixture.ts';
import { visitor } from '../visit.ts';

const browser = visitor();

async function getFile(name: string, text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'touchstone-console-')), name);
  await writeFile(path, text);
  return path;
}

describe('datasets', () => {
  it('are found by a part of their name, and deleted', async () => {
    const { name } = await makeDataset([{ input: 'a' }]);
    const page = await browser.open('/datasets');
    await page.getByRole('searchbox', { name: 'Find datasets by name' }).fill(name.toUpperCase());
    await page.getByRole('row', { name }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('link', { name }).waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('are made of a file, which is told about: what was taken, what not and why', async () => {
    const name = `bicycles ${randomUUID()}`;
    const page = await browser.open('/datasets');
    await page.getByRole('button', { name: 'New dataset' }).click();
    const ragged = await getFile('bicycles.csv', 'input,output\nwhere?,"there, I think"\nbroken,too,many,cells\nwhen?,now\n');
    await page.getByLabel('File', { exact: true }).setInputFiles(ragged);
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('region', { name: 'What was understood of the file' }).textContent()).toContain('line 3');
    await page.getByLabel('Leave out rows').check();
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('2 of 3 rows taken, 1 refused from csv').waitFor();
    await page.getByRole('link', { name: 'Open the dataset' }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('button', { name: 'Row 1, output: there, I think' }).waitFor();
  });

  it('have columns mapped after a look at the first rows, and ground truth chosen for a scorer', async () => {
    const { id } = await makeDataset([{ question: 'What is a tandem?', topic: 'bicycles', right: 'one for two' }]);
    const { id: scorer_id, name } = await newScorer(consoleApi());
    const page = await browser.open(`/datasets/${id}`);
    await page.getByRole('button', { name: 'Map columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Map columns' });
    await dialog.getByRole('group', { name: 'Input' }).getByLabel('question').check();
    await dialog.getByRole('group', { name: 'Input' }).getByLabel('topic').check();
    await dialog.getByRole('group', { name: 'Ground truth' }).getByLabel('right').check();
    await dialog.getByRole('columnheader', { name: 'input' }).waitFor();
    await dialog.getByText(/"topic":\s*"bicycles"/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save as a new version' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: 'output' }).waitFor();
    await page.getByRole('button', { name: 'Ground truth', exact: true }).click();
    await page.getByRole('combobox', { name }).selectOption('output');
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { columns } = await consoleApi().get<{ columns: object }>(`/datasets/${id}/ground_truth_columns`);
    expect(columns).toEqual({ [scorer_id]: 'output' });
  });

  it('are made by hand: columns first, then rows', async () => {
    const name = `by hand ${randomUUID()}`;
    const page = await browser.open('/datasets');
    await page.getByRole('button', { name: 'New dataset' }).click();
    await page.getByRole('button', { name: 'By hand' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Columns').fill('input, output');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'No rows yet' }).waitFor();
    await page.getByRole('button', { name: 'Add row' }).click();
    await page.getByLabel('input', { exact: true }).fill('What is a tandem?');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('button', { name: 'Row 1, input: What is a tandem?' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'output' }).textContent()).toContain('Ground truth');
  });

  it('are downloaded', async () => {
    const { id, name } = await makeDataset([{ input: 'a', output: 'b' }]);
    const page = await browser.open(`/datasets/${id}`);
    await page.getByRole('button', { name: 'Download' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'JSON lines' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(`${name}.jsonl`);
    expect(await readFile(await download.path(), 'utf8')).toContain('"input":"a"');
  });

  it('say who sees them', async () => {
    const { id } = await makeDataset([{ input: 'a' }]);
    const page = await browser.open(`/datasets/${id}/sharing`);
    await page.getByRole('row', { name: 'admin@example.org' }).waitFor();
    await page.getByText('No project yet').waitFor();
  });

  it.each(['light', 'dark'] as const)('can be read by everybody, %s', async (theme) => {
    const { id } = await makeDataset([{ input: 'a', output: null, metadata: { channel: 'web' } }]);
    const page = await browser.open(`/datasets`, { theme });
    await page
      .getByRole('link', { name: /dataset/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    const rows = await browser.open(`/datasets/${id}`, { theme });
    await rows.getByRole('button', { name: 'Row 1, input: a' }).waitFor();
    await expectAccessible(rows);
    await rows.getByRole('button', { name: 'Row 1, input: a' }).click();
    await rows.getByRole('dialog').waitFor();
    await expectAccessible(rows);
  });
});

describe('rows', () => {
  it('are changed, added and deleted together, as one version', async () => {
    const { id } = await makeDataset([{ input: 'a' }, { input: 'b' }]);
    const page = await browser.open(`/datasets/${id}`);
    await page.getByRole('button', { name: 'Row 1, input: a' }).click();
    await page.getByLabel('Value').fill('changed');
    await page.getByLabel('Value').press('Control+Enter');
    await page.getByRole('button', { name: 'Delete row 2' }).click();
    await page.getByRole('button', { name: 'Add row' }).click();
    await page.getByLabel('input', { exact: true }).fill('new');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('3 rows are changed and not saved').waitFor();
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('link', { name: 'Rows' }).click();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('button', { name: 'Row 2, input: new' }).waitFor();
    expect((await readRows(id)).map(({ values_dict }) => values_dict.input)).toEqual(['changed', 'new']);
    expect(await callTestConsole('GET', `/datasets/${id}`)).toMatchObject({ current_version_index: 2 });
  });

  it('are found by what a column contains', async () => {
    const { id } = await makeDataset([{ input: 'a bell' }, { input: 'a chain' }]);
    const page = await browser.open(`/datasets/${id}`);
    await page.getByRole('searchbox').fill('chain');
    await page.getByRole('button', { name: 'Row 1, input: a bell' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Row 2, input: a chain' }).waitFor();
  });

  it('keep what was typed when somebody else saved first, and show where both changed the same', async () => {
    const { id } = await makeDataset([{ input: 'one' }, { input: 'two' }, { input: 'three' }]);
    const page = await browser.open(`/datasets/${id}`);
    for (const row of ['Row 1, input: one', 'Row 2, input: two']) {
      await page.getByRole('button', { name: row }).click();
      await page.getByLabel('Value').fill('mine');
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
    }
    const [first] = await readRows(id);
    await edit(id, { edit_type: 'update_row', row_id: first!.row_id, values: { input: 'theirs' } });
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    const notice = page.getByRole('alert', { name: 'Newer version exists' });
    await notice.getByText('both changed this cell').waitFor();
    await page.getByRole('button', { name: 'Row 2, input: mine' }).waitFor();
    await expectAccessible(page);
    expect((await readRows(id)).map(({ values_dict }) => values_dict.input)).toEqual(['theirs', 'two', 'three']);
    await notice.getByRole('button', { name: 'Take theirs' }).click();
    await notice.getByText('You can save again').waitFor();
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await notice.waitFor({ state: 'detached' });
    expect((await readRows(id)).map(({ values_dict }) => values_dict.input)).toEqual(['theirs', 'mine', 'three']);
  });
});
