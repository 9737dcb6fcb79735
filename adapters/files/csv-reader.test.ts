import { describe, expect, it } from 'vitest';
import { FILE_LIMITS } from '../../core/datasets/files/file-limits.ts';
import { gathered, inChunks, readWhole, request } from '../../test/fixtures/datasets/read-whole.ts';
import { StreamingRowFileReader } from './streaming-row-file-reader.ts';

const csv = (content: string, changes: Parameters<typeof readWhole>[1] = {}) => readWhole(content, { format: 'csv', ...changes });
const skip = { refused_rows: 'skip' } as const;

describe('CSV', () => {
  it('reads quotes, commas and line breaks in cells', async () => {
    const { columns, rows } = await csv('input,output\r\n"a ""b"", c","two\r\nlines"\r\nplain,x\r\n');
    expect(columns).toEqual(['input', 'output']);
    expect(rows).toEqual([
      { input: 'a "b", c', output: 'two\r\nlines' },
      { input: 'plain', output: 'x' },
    ]);
  });

  it.each(['\r\n', '\n', '\r'])('takes %j for the end of a line, and the last one may be missing', async (end) => {
    const { rows } = await csv(['input,output', 'a,b', 'c,d'].join(end));
    expect(rows).toEqual([
      { input: 'a', output: 'b' },
      { input: 'c', output: 'd' },
    ]);
  });

  it('tells nothing from an empty text', async () => {
    const { rows, report } = await csv('a,b,c\n,"",x\n');
    expect(rows).toEqual([{ a: null, b: '', c: 'x' }]);
    expect(report.empty_columns).toEqual(['a', 'b']);
  });

  it('keeps numbers, codes and truth values as the texts they are, and says what they look like', async () => {
    const { rows, report } = await csv(
      'code,n,x,ok,at,j\n007,1,1.50,true,2026-01-02T03:04:05Z,"{""a"":1}"\n008,-2,2e3,False,2026-01-02,[]\n',
    );
    expect(rows[0]).toEqual({ code: '007', n: '1', x: '1.50', ok: 'true', at: '2026-01-02T03:04:05Z', j: '{"a":1}' });
    expect(report.columns.map(({ type }) => type)).toEqual(['text', 'integer', 'number', 'boolean', 'timestamp', 'json']);
  });

  it('takes off a byte order mark, and says so', async () => {
    const { columns, report } = await csv('\ufeffinput\nx\n');
    expect(columns).toEqual(['input']);
    expect(report.notes).toEqual([{ type: 'bom_removed', msg: expect.any(String), count: 1 }]);
  });

  it.each([
    [';', 'input;output\na,b;c\nd;e\n', 'a,b'],
    ['\t', 'input\toutput\na,b\tc\n', 'a,b'],
    [';', '"in;put";output\n"a,b";c\n', 'a,b'],
  ])('finds cells separated by %j', async (_, content, first) => {
    const { columns, rows, report } = await csv(content);
    expect(columns).toHaveLength(2);
    expect(Object.values(rows[0]!)[0]).toBe(first);
    expect(report.notes.map(({ type }) => type)).toEqual(['delimiter_found']);
  });

  it('skips blank lines, but of one column they are rows without a value', async () => {
    const several = await csv('a,b\n\n1,2\n\n');
    expect(several.rows).toEqual([{ a: '1', b: '2' }]);
    expect(several.report.notes).toEqual([{ type: 'blank_lines_skipped', msg: expect.any(String), count: 2 }]);
    expect((await csv('a\n\nx\n')).rows).toEqual([{ a: null }, { a: 'x' }]);
  });

  it('reads the same in chunks of every size', async () => {
    const content = 'input,output\r\n"日本 ""x""","a\r\nb"\r\nü,😀\r\n';
    const whole = (await csv(content)).rows;
    for (const size of [1, 2, 3, 5, 7]) {
      const reading = await new StreamingRowFileReader().open(inChunks(content, size), request({ format: 'csv' }));
      expect((await gathered(reading.batches)).flat()).toEqual(whole);
    }
  });

  it('refuses ragged rows by number and line, and takes nothing of the file', async () => {
    const content = 'a,b\n1,2\n"x\ny",2\n1,2,3\n4\n';
    await expect(csv(content)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'file_rows_refused',
      issues: [
        { type: 'file_rows_refused', ctx: { rows_read: 4, rows_refused: 2 } },
        { loc: ['body', 'file', 3], msg: 'row 3 (line 5): 3 cells, where the header has 2', type: 'ragged' },
        { loc: ['body', 'file', 4], type: 'ragged' },
      ],
    });
  });

  it('skips ragged rows where that is allowed, and reports them', async () => {
    const { rows, report } = await csv('a,b\n1,2\n3\n4,5\n', skip);
    expect(rows).toEqual([
      { a: '1', b: '2' },
      { a: '4', b: '5' },
    ]);
    expect(report).toMatchObject({
      rows_read: 3,
      rows_accepted: 2,
      rows_refused: 1,
      refusals: [{ row: 2, line: 3, type: 'ragged' }],
    });
  });

  it('counts every refused row, and tells the first hundred', async () => {
    const { report } = await csv(`a,b\n${'1\n'.repeat(250)}`, skip);
    expect(report.rows_refused).toBe(250);
    expect(report.refusals).toHaveLength(100);
  });

  it.each([
    ['without a name', 'a,,c\n1,2,3\n', 1, 'column 2 has no name'],
    ['with the name of another', 'a,b,a\n1,2,3\n', 2, 'column 3 has the name of column 1'],
    ['called __proto__', '__proto__,b\n1,2\n', 0, 'column 1 is no name for a column'],
    ['with a NUL in its name', 'a\0,b\n1,2\n', 0, 'column 1 contains a NUL or a lone surrogate'],
  ])('refuses a column %s', async (_, content, index, msg) => {
    await expect(csv(content)).rejects.toMatchObject({
      code: 'file_header_invalid',
      issues: [{ loc: ['body', 'file', 'header', index], msg }],
    });
  });

  it.each([
    ['never closed', 'a,b\n1,2\n"x,y\n', 'a quote that is opened in row 2 is never closed'],
    ['followed by something', 'a,b\n"x"y,1\n', 'in row 1, on line 2, something follows a closing quote'],
    ['inside a plain cell', 'a,b\n1,2\nx"y,1\n', 'in row 2, on line 3, a quote stands inside a cell that is not quoted'],
  ])('refuses the file for a quote %s, also where rows may be skipped', async (_, content, msg) => {
    await expect(csv(content, skip)).rejects.toMatchObject({ code: 'file_malformed', issues: [{ msg }] });
  });

  it('refuses bytes that are no UTF-8 instead of replacing them', async () => {
    const bytes = Buffer.concat([Buffer.from('a,b\n1,'), Buffer.from([0xe9]), Buffer.from('\n')]);
    await expect(readWhole(bytes, { format: 'csv' })).rejects.toMatchObject({ code: 'file_not_utf8' });
    await expect(readWhole(Buffer.concat([Buffer.from('a\nx'), Buffer.from([0xc3])]), { format: 'csv' })).rejects.toMatchObject({
      code: 'file_not_utf8',
    });
  });

  it('takes a NUL inside a cell for what it is', async () => {
    expect((await csv('a,b\nx\0y,a longer text beside it\n')).rows[0]).toMatchObject({ a: 'x\0y' });
  });

  it('refuses the row of a cell above the limit, and takes one at the limit', async () => {
    const limits = { ...FILE_LIMITS, max_cell_length: 10 };
    const { rows, report } = await csv(`a,b\n${'x'.repeat(10)},1\n${'x'.repeat(11)},2\n`, { ...skip, limits });
    expect(rows).toHaveLength(1);
    expect(report.refusals).toMatchObject([{ row: 2, column: 'a', type: 'cell_too_long' }]);
  });

  it('refuses more rows, columns and text than allowed', async () => {
    const limits = { ...FILE_LIMITS, max_rows: 2, max_columns: 3, max_row_length: 1000, max_content_length: 50 };
    await expect(csv('a\n1\n2\n3\n', { limits })).rejects.toMatchObject({ code: 'file_too_many_rows' });
    await expect(csv('a,b,c,d\n1,2,3,4\n', { limits })).rejects.toMatchObject({ code: 'file_too_many_columns' });
    await expect(csv(`a\n${'x'.repeat(1100)}\n`, { limits })).rejects.toMatchObject({ code: 'file_malformed' });
    await expect(csv(`a\n${'x'.repeat(51)}\n`, { limits })).rejects.toMatchObject({ code: 'file_content_too_long' });
    expect((await csv('a,b,c\n1,2,3\n4,5,6\n', { limits })).rows).toHaveLength(2);
  });

  it('keeps names of columns exactly, and says when one is padded', async () => {
    const { columns, report } = await csv('input, output,constructor\n1,2,3\n');
    expect(columns).toEqual(['input', ' output', 'constructor']);
    expect(report.notes.map(({ type }) => type)).toEqual(['header_padded']);
  });

  it('takes a header alone for a dataset without rows', async () => {
    const { columns, rows, report } = await csv('a,b\n');
    expect({ columns, rows }).toEqual({ columns: ['a', 'b'], rows: [] });
    expect(report.empty_columns).toEqual(['a', 'b']);
  });

  it('leaves apostrophes before formulas unless it is asked to take them off', async () => {
    const kept = await csv("a\n'=1+1\n'quoted'\n");
    expect(kept.rows).toEqual([{ a: "'=1+1" }, { a: "'quoted'" }]);
    expect(kept.report.notes.map(({ type, count }) => [type, count])).toEqual([['formula_guards_kept', 1]]);
    const undone = await csv("a\n'=1+1\n''-x\n'quoted'\n", { formula_guards: 'undo' });
    expect(undone.rows).toEqual([{ a: '=1+1' }, { a: "'-x" }, { a: "'quoted'" }]);
  });

  it('stops reading when nobody wants more', async () => {
    let read = 0;
    const file = inChunks(`a\n${'some text\n'.repeat(100_000)}`, 1000);
    const counted = {
      ...file,
      async *chunks() {
        for await (const chunk of file.chunks()) {
          read += chunk.length;
          yield chunk;
        }
      },
    };
    const { batches } = await new StreamingRowFileReader().open(counted, request({ format: 'csv' }));
    for await (const batch of batches) {
      expect(batch).toHaveLength(1000);
      break;
    }
    expect(read).toBeLessThan(200_000);
  });
});
