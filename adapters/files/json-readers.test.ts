import { describe, expect, it } from 'vitest';
import { FILE_LIMITS } from '../../core/datasets/files/file-limits.ts';
import { gathered, inChunks, readWhole, request } from '../../test/fixtures/datasets/read-whole.ts';
import { StreamingRowFileReader } from './streaming-row-file-reader.ts';

type Changes = Parameters<typeof readWhole>[1];
const jsonl = (content: string, changes: Changes = {}) => readWhole(content, { format: 'jsonl', ...changes });
const json = (content: string, changes: Changes = {}) => readWhole(content, { format: 'json', ...changes });
const skip = { refused_rows: 'skip' } as const;

describe('values of JSON', () => {
  it('keeps texts, numbers, nulls and flat maps; what is nested or a truth value becomes its JSON text', async () => {
    const { rows, report } = await jsonl(
      '{"t":"x","n":-1.5,"z":null,"m":{"a":"b","n":1},"b":true,"l":[1,{"a":2}],"d":{"a":{"b":1}},"mb":{"a":false}}\n',
    );
    expect(rows).toEqual([
      { t: 'x', n: -1.5, z: null, m: { a: 'b', n: 1 }, b: 'true', l: '[1,{"a":2}]', d: '{"a":{"b":1}}', mb: '{"a":false}' },
    ]);
    expect(report.notes).toEqual([{ type: 'nested_as_text', msg: expect.any(String), count: 3 }]);
    expect(report.columns.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      't: text',
      'n: number',
      'z: empty',
      'm: json',
      'b: boolean',
      'l: json',
      'd: json',
      'mb: json',
    ]);
  });

  it('keeps the digits of numbers that a double would change', async () => {
    const source =
      '{"a":9007199254740993,"b":1e400,"c":0.1,"d":1.7976931348623157e308,"e":12345678901234567890,"f":0.12345678901234567,"g":1e3,"h":0.10000000000000001}';
    expect((await jsonl(source)).rows).toEqual([
      {
        a: '9007199254740993',
        b: '1e400',
        c: 0.1,
        d: 1.7976931348623157e308,
        e: '12345678901234567890',
        f: '0.12345678901234567',
        g: 1000,
        h: 0.1,
      },
    ]);
  });

  it('keeps NULs and lone surrogates of texts, and maps with a key __proto__ as text', async () => {
    const { rows } = await jsonl('{"a":"\\u0000\\ud800","m":{"__proto__":1}}');
    expect(rows).toEqual([{ a: '\0\ud800', m: '{"__proto__":1}' }]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ['called __proto__', '{"__proto__":1}'],
    ['without a name', '{"":1}'],
    ['with a NUL in its name', '{"a\\u0000":1}'],
    ['with a lone surrogate in its name', '{"\\ud800":1}'],
    ['with a name of 256 characters', `{"${'x'.repeat(256)}":1}`],
  ])('refuses the row of a column %s, and learns no column from it', async (_, row) => {
    const { rows, report } = await jsonl(`{"a":1}\n${row}\n`, skip);
    expect(rows).toEqual([{ a: 1 }]);
    expect(report.refusals).toMatchObject([{ row: 2, line: 2, type: 'name_invalid' }]);
    expect(report.columns).toHaveLength(1);
  });

  it('refuses the row of a value that nests too deep, however deep', async () => {
    const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}\n`;
    const { report } = await jsonl(`${deep(64)}${deep(65)}${deep(500_000)}`, skip);
    expect(report).toMatchObject({
      rows_accepted: 1,
      refusals: [
        { row: 2, type: 'too_deep' },
        { row: 3, type: 'too_deep' },
      ],
    });
  });
});

describe('JSON lines', () => {
  it('skips blank lines, counts them as lines, and needs no line break at the end', async () => {
    const { rows, report } = await jsonl('\n{"a":1}\r\n   \n{"a":2}');
    expect(rows).toEqual([{ a: 1 }, { a: 2 }]);
    expect(report.notes).toMatchObject([{ type: 'blank_lines_skipped', count: 2 }]);
  });

  it('refuses lines that are no object by row, line and reason', async () => {
    const content = '{"a":1}\n\n[1]\n7\nnull\n{"a":}\n{"a":NaN}\n';
    const { rows, report } = await jsonl(content, skip);
    expect(rows).toEqual([{ a: 1 }]);
    expect(report.refusals.map(({ row, line, type, msg }) => [row, line, type, msg.slice(0, 37)])).toEqual([
      [2, 3, 'not_an_object', 'an object is expected, not a list'],
      [3, 4, 'not_an_object', 'an object is expected, not a number'],
      [4, 5, 'not_an_object', 'an object is expected, not null'],
      [5, 6, 'not_json', expect.stringContaining('not JSON')],
      [6, 7, 'not_json', expect.stringContaining('not JSON')],
    ]);
    await expect(jsonl(content)).rejects.toMatchObject({ code: 'file_rows_refused' });
  });

  it('takes columns in the order of their appearance', async () => {
    const { columns, report } = await jsonl('{"b":1}\n{"a":1,"b":2}\n');
    expect(columns).toEqual([]);
    expect(report.columns.map(({ name, filled }) => [name, filled])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });

  it('reads the same in chunks of every size', async () => {
    const content = '{"a":"日本😀\\n"}\n{"a":"ü"}\n';
    for (const size of [1, 2, 3, 4]) {
      const reading = await new StreamingRowFileReader().open(inChunks(content, size), request({ format: 'jsonl' }));
      expect((await gathered(reading.batches)).flat()).toEqual([{ a: '日本😀\n' }, { a: 'ü' }]);
    }
  });

  it('refuses a line that never ends, and more columns than allowed', async () => {
    const limits = { ...FILE_LIMITS, max_row_length: 100, max_columns: 2 };
    await expect(jsonl(`{"a":1}\n{"a":"${'x'.repeat(100)}`, { limits })).rejects.toMatchObject({ code: 'file_malformed' });
    await expect(jsonl('{"a":1,"b":2,"c":3}', { limits })).rejects.toMatchObject({ code: 'file_too_many_columns' });
  });
});

describe('JSON', () => {
  it.each([
    ['a list of objects', ' [ {"a":1,"b":"x, ]\\"}"} ,\n {"b":null,"a":2} ] \n'],
    ['an object of lists', ' { "a" : [ 1 , 2 ] , "b" : [ "x, ]\\"}" , null ] } \n'],
  ])('reads %s, in chunks of every size', async (_, content) => {
    const expected = [
      { a: 1, b: 'x, ]"}' },
      { a: 2, b: null },
    ];
    expect((await json(content)).rows).toEqual(expected);
    for (const size of [1, 2, 3, 5]) {
      const reading = await new StreamingRowFileReader().open(inChunks(content, size), request({ format: 'json' }));
      expect((await gathered(reading.batches)).flat()).toEqual(expected);
    }
  });

  it('reads lists of many rows that lie far apart in the file', async () => {
    const numbers = Array.from({ length: 5_000 }, (_, index) => index);
    const texts = numbers.map((index) => `text ${index} of a row`);
    const { rows, columns } = await json(`\ufeff${JSON.stringify({ n: numbers, t: texts })}`);
    expect(columns).toEqual(['n', 't']);
    expect(rows).toEqual(numbers.map((n) => ({ n, t: texts[n] })));
  });

  it('takes an empty list, and an empty object, for a dataset without anything', async () => {
    expect((await json('[]')).rows).toEqual([]);
    expect((await json('{}')).rows).toEqual([]);
    expect((await json('{"a":[],"b":[]}')).columns).toEqual(['a', 'b']);
  });

  it('refuses an element that is no object by its row', async () => {
    const { rows, report } = await json('[{"a":1}, 2, [3]]', skip);
    expect(rows).toEqual([{ a: 1 }]);
    expect(report.refusals.map(({ row, type }) => [row, type])).toEqual([
      [2, 'not_an_object'],
      [3, 'not_an_object'],
    ]);
  });

  it.each([
    ['an element that is not JSON', '[{"a":1},{"a":}]', 'row 2 is not JSON'],
    ['a missing end', '[{"a":1}', 'the file ends before its list does'],
    ['a missing end in a text', '[{"a":"1', 'the file ends before its list does'],
    ['nothing between two commas', '[{"a":1},,{"a":2}]', 'there is nothing between two commas'],
    ['a comma before the end', '[{"a":1},]', 'there is nothing between two commas'],
    ['something behind the list', '[{"a":1}] {"b":2}', 'something follows the list'],
    ['the wrong bracket', '[{"a":1}}', 'a list ends with a brace'],
    ['a single value for a column', '{"a": 1}', 'a list of values is expected for column a'],
    ['no colon', '{"a" [1]}', 'a colon is expected'],
    ['columns that end early', '{"a":[1,2],"b":[1]}', 'some columns end before row 2'],
    ['a value that is not JSON', '{"a":[1,x]}', 'row 2 of column a is not JSON'],
    ['a missing end of the object', '{"a":[1]', 'the file ends before its object does'],
    ['something behind the object', '{"a":[1]} 2', 'nothing more is expected'],
  ])('refuses the file for %s, also where rows may be skipped', async (_, content, msg) => {
    await expect(json(content, skip)).rejects.toMatchObject({
      code: 'file_malformed',
      issues: [{ msg: expect.stringContaining(msg) }],
    });
  });

  it('refuses two lists of one name', async () => {
    await expect(json('{"a":[1],"a":[2]}')).rejects.toMatchObject({ code: 'file_header_invalid' });
  });
});
