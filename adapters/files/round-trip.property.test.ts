import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WrittenFormat } from '../../core/datasets/files/file-format.ts';
import { rowsAsFile } from '../../core/datasets/files/rows-as-file.ts';
import type { RowValues } from '../../core/datasets/row.ts';
import { gathered, readWhole } from '../../test/fixtures/datasets/read-whole.ts';

const nasty = fc.constantFrom(
  '=1+1',
  "'=1",
  "''@",
  '-5',
  '\t',
  '\r\n',
  '"',
  ',',
  ';',
  '＝x',
  '\0',
  '',
  ' ',
  '{"a":1}',
  '[',
  'NULL',
  '007',
  '\ufeff',
  '😀',
  '#',
  '\n',
);
const text = fc.oneof(
  nasty,
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.array(nasty, { maxLength: 4 }).map((parts) => parts.join('')),
);
const anyText = fc.oneof(text, fc.string({ unit: 'binary', maxLength: 8 }), fc.constant('\ud800'));
const scalar = fc.oneof(
  anyText,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n)),
  fc.integer(),
  fc.constant(null),
);
const map = fc.dictionary(
  fc.string({ maxLength: 5 }).filter((key) => key !== '__proto__'),
  scalar,
  { maxKeys: 3, noNullPrototype: true },
);
const name = fc.oneof(
  fc.constantFrom('input', 'output', '=x', "'=x", ' padded', 'constructor', 'ü,"', '\ufeffmark', 'a\nb'),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((text) => text.trim() !== '' && !text.includes('\0') && text !== '__proto__'),
);

/** Rows that have every column, as a dataset gives them out. */
const tables = (cell: fc.Arbitrary<RowValues[string]>) =>
  fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(
        fc
          .tuple(...columns.map(() => cell))
          .map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index]!]))),
        {
          maxLength: 6,
        },
      ),
    }),
  );

async function written(
  format: WrittenFormat,
  columns: readonly string[],
  rows: readonly RowValues[],
  guard_formulas: boolean,
): Promise<string> {
  const batches = (async function* () {
    yield rows.slice(0, 2);
    yield rows.slice(2);
  })();
  return (await gathered(rowsAsFile(format, { columns, batches }, { guard_formulas }).chunks)).join('');
}

describe('export and import', () => {
  it.each(['jsonl', 'json'] as const)('gives back identical rows by way of %s, whatever they hold', async (format) => {
    await fc.assert(
      fc.asyncProperty(tables(fc.oneof(scalar, map)), async ({ columns, rows }) => {
        const file = await written(format, columns, rows, true);
        if (file === '') return;
        expect((await readWhole(file, { format })).rows).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });

  it.each([true, false])('gives back identical texts and nulls by way of CSV, with formulas guarded: %s', async (guard) => {
    await fc.assert(
      fc.asyncProperty(tables(fc.oneof(text, fc.constant(null))), async ({ columns, rows }) => {
        const file = await written('csv', columns, rows, guard);
        const read = await readWhole(file, { format: 'csv', formula_guards: guard ? 'undo' : 'keep' });
        expect(read.columns).toEqual(columns);
        expect(read.rows).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });

  it('never writes a cell that a spreadsheet would run', async () => {
    await fc.assert(
      fc.asyncProperty(tables(text), async ({ columns, rows }) => {
        const file = await written('csv', columns, rows, true);
        const plain = await readWhole(file, { format: 'csv', formula_guards: 'keep' });
        const cells = [...plain.columns, ...plain.rows.flatMap((row) => Object.values(row) as string[])];
        expect(cells.filter((cell) => /^[=+\-@\t\r\n\0＝＋－＠]/.test(cell))).toEqual([]);
      }),
    );
  });
});
