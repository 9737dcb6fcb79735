import { expect, it } from 'vitest';
import { gathered } from '../../../test/fixtures/datasets/read-whole.ts';
import type { RowValues } from '../row.ts';
import type { WrittenFormat } from './file-format.ts';
import { rowsAsFile } from './rows-as-file.ts';

async function* inBatches(...batches: RowValues[][]): AsyncGenerator<RowValues[]> {
  yield* batches;
}

const columns = ['input', '10', 'm'];
const rows: RowValues[] = [
  { m: { a: 1, b: null }, input: '=1+1', '10': -5, other: 'not asked for' },
  { input: '', '10': null },
];
const printed = async (format: WrittenFormat, guard_formulas = true): Promise<string> =>
  (await gathered(rowsAsFile(format, { columns, batches: inBatches([rows[0]!], [rows[1]!]) }, { guard_formulas }).chunks)).join(
    '',
  );

it('writes CSV with formulas disarmed, numbers as they are, and nothing told from an empty text', async () => {
  expect(await printed('csv')).toBe('input,10,m\r\n\'=1+1,-5,"{""a"":1,""b"":null}"\r\n"",,\r\n');
  expect(await printed('csv', false)).toContain('\r\n=1+1,-5,');
});

it.each([';', '\t'])('quotes a name with %j, which a reader might take for what separates the cells', async (sign) => {
  const { chunks } = rowsAsFile('csv', { columns: [`a${sign}b`], batches: inBatches() }, { guard_formulas: false });
  expect((await gathered(chunks)).join('')).toBe(`"a${sign}b"\r\n`);
});

it('writes JSON lines and JSON with every column of every row, in order', async () => {
  const [first, second] = ['{"input":"=1+1","10":-5,"m":{"a":1,"b":null}}', '{"input":"","10":null,"m":null}'];
  expect(await printed('jsonl')).toBe(`${first}\n${second}\n`);
  expect(await printed('json')).toBe(`[\n${first},\n${second}\n]\n`);
});

it.each([
  ['csv', 'input,10,m\r\n'],
  ['jsonl', ''],
  ['json', '[\n]\n'],
] as const)('writes %s without rows', async (format, expected) => {
  const { chunks, extension } = rowsAsFile(format, { columns, batches: inBatches() }, { guard_formulas: true });
  expect((await gathered(chunks)).join('')).toBe(expected);
  expect(extension).toBe(format);
});

it('makes no more of a file than is asked for', async () => {
  let made = 0;
  async function* endless(): AsyncGenerator<RowValues[]> {
    for (;;) {
      made += 1;
      yield [{ input: 'x'.repeat(1_000) }];
    }
  }
  for await (const chunk of rowsAsFile('jsonl', { columns: ['input'], batches: endless() }, { guard_formulas: true }).chunks) {
    expect(chunk.length).toBeLessThan(70_000);
    break;
  }
  expect(made).toBeLessThan(70);
});
