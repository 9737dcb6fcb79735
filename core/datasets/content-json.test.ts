import { expect, it } from 'vitest';
import { DatasetContent, type DatasetRow } from './content.ts';
import { contentJson } from './content-json.ts';

const row = (index: number, input: string): DatasetRow => ({
  row_id: `row ${index}`,
  index,
  values: [input],
  values_dict: { input },
  metadata: null,
});
const version = (num_rows: number) => ({ columns: [{ key: 1, name: 'input' }], num_rows });

async function* batches(rows: readonly DatasetRow[], asked: number[] = []) {
  for (let at = 0; at < rows.length; at += 2) {
    asked.push(at);
    yield rows.slice(at, at + 2);
  }
}

async function written(...args: Parameters<typeof contentJson>): Promise<DatasetContent> {
  let text = '';
  for await (const chunk of contentJson(...args)) text += chunk;
  return DatasetContent.parse(JSON.parse(text));
}

it('a page of rows is the JSON that the schema describes', async () => {
  const rows = [row(1, 'a "quoted" one'), row(2, 'ü'), row(3, '')];
  expect(await written(version(9), { starting_token: 1, limit: 3 }, batches(rows))).toEqual({
    starting_token: 1,
    limit: 3,
    paginated: true,
    next_starting_token: 4,
    column_names: ['input'],
    warning_message: null,
    rows,
  });
  const last = await written(version(4), { starting_token: 1, limit: 3 }, batches(rows));
  expect(last).toMatchObject({ paginated: false, next_starting_token: null });
});

it('a page behind the last row is empty, and no page follows it', async () => {
  const page = await written(version(2), { starting_token: 5, limit: 3 }, batches([]));
  expect(page).toMatchObject({ rows: [], paginated: false, next_starting_token: null });
});

it('a page that grows too large is cut, counted in bytes, and no further rows are read', async () => {
  const rows = Array.from({ length: 10 }, (_, index) => row(index, '€'.repeat(1_000)));
  const asked: number[] = [];
  const page = await written(version(10), { starting_token: 0, limit: 10 }, batches(rows, asked), 15_000);
  expect(page.rows).toHaveLength(3);
  expect(page).toMatchObject({ limit: 10, paginated: true, next_starting_token: 3 });
  expect(asked).toEqual([0, 2]);
  const rest = await written(version(10), { starting_token: 3, limit: 10 }, batches(rows.slice(3)));
  expect(rest.rows).toHaveLength(7);
});

it('a single row that is larger than a page is shown, and the next page begins behind it', async () => {
  const page = await written(version(2), { starting_token: 0, limit: 2 }, batches([row(0, 'x'.repeat(500)), row(1, 'y')]), 10);
  expect(page).toMatchObject({ rows: [{ index: 0 }], paginated: true, next_starting_token: 1 });
});

it('a large page leaves in pieces', async () => {
  const rows = Array.from({ length: 100 }, (_, index) => row(index, 'x'.repeat(10_000)));
  const sizes: number[] = [];
  for await (const chunk of contentJson(version(100), { starting_token: 0, limit: 100 }, batches(rows))) sizes.push(chunk.length);
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(2 * 64 * 1024);
});
