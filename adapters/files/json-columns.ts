import { parseExactly } from '../../core/datasets/files/cell.ts';
import type { FileLimits } from '../../core/datasets/files/file-limits.ts';
import { invalid } from '../../core/datasets/files/file-refusal.ts';
import type { FileSource } from '../../core/datasets/files/file-source.ts';
import type { ImportTally } from '../../core/datasets/files/import-tally.ts';
import type { RawRow } from '../../core/datasets/files/row-reading.ts';
import type { JsonValue } from '../../core/kernel/json.ts';
import { rowOfEntries } from './json-row.ts';
import { JsonListSplitter } from './json-splitter.ts';

export interface ColumnList {
  readonly name: string;
  /** Where in the file its list begins, a byte order mark not counted. */
  readonly start: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_KEY_BYTES = 10_000;
const CURSOR_BYTES = 16 * 1024;

/** Finds the lists of an object of lists, without keeping them. */
export async function listsByColumn(chunks: AsyncIterable<Uint8Array>, { max_columns }: FileLimits): Promise<ColumnList[]> {
  const scan = new ObjectScan();
  for await (const chunk of chunks) {
    scan.push(chunk);
    // One more than allowed is enough to tell.
    if (scan.lists.length > max_columns) break;
  }
  if (!scan.ended && scan.lists.length <= max_columns) throw invalid('file_malformed', 'the file ends before its object does');
  return scan.lists;
}

type Expected = 'object' | 'first_key' | 'key' | 'colon' | 'list' | 'comma' | 'nothing';

const ACCEPTED: Readonly<Record<Expected, string>> = {
  object: 'the beginning of an object',
  first_key: 'the name of a column',
  key: 'the name of a column',
  colon: 'a colon',
  list: 'a list of values',
  comma: 'a comma or the end of the object',
  nothing: 'nothing more',
};

/** Walks over the text of an object of lists, and remembers where each list begins. */
class ObjectScan {
  readonly lists: ColumnList[] = [];
  #expected: Expected = 'object';
  #at = 0;
  #depth = 0;
  #quoted = false;
  #escaped = false;
  #key: number[] | undefined;
  #name = '';

  get ended(): boolean {
    return this.#expected === 'nothing';
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#quoted) this.#inText(byte);
      else if (this.#depth > 0) this.#inList(byte);
      else if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) this.#between(String.fromCharCode(byte));
      this.#at += 1;
    }
  }

  #inText(byte: number): void {
    if (this.#key && this.#key.length >= MAX_KEY_BYTES) throw invalid('file_malformed', 'the name of a column is too long');
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#quoted = false;
      if (this.#key) this.#endKey(this.#key);
      return;
    }
    this.#key?.push(byte);
  }

  #endKey(bytes: readonly number[]): void {
    this.#key = undefined;
    try {
      this.#name = JSON.parse(`"${new TextDecoder().decode(Uint8Array.from(bytes))}"`) as string;
    } catch (cause) {
      throw invalid('file_malformed', 'the name of a column is not JSON', { cause });
    }
    this.#expected = 'colon';
  }

  #inList(byte: number): void {
    if (byte === QUOTE) this.#quoted = true;
    else if (byte === 0x5b || byte === 0x7b) this.#depth += 1;
    else if (byte === 0x5d || byte === 0x7d) this.#depth -= 1;
  }

  #between(sign: string): void {
    const expected = this.#expected;
    if (expected === 'object' && sign === '{') this.#expected = 'first_key';
    else if ((expected === 'first_key' || expected === 'key') && sign === '"') {
      this.#quoted = true;
      this.#key = [];
    } else if (expected === 'colon' && sign === ':') this.#expected = 'list';
    else if (expected === 'list' && sign === '[') {
      this.lists.push({ name: this.#name, start: this.#at });
      this.#depth = 1;
      this.#expected = 'comma';
    } else if (expected === 'comma' && sign === ',') this.#expected = 'key';
    else if ((expected === 'comma' || expected === 'first_key') && sign === '}') this.#expected = 'nothing';
    else {
      const where = expected === 'list' ? ` for column ${this.#name.slice(0, 100).toWellFormed()}` : '';
      throw invalid('file_malformed', `${ACCEPTED[expected]} is expected${where}`);
    }
  }
}

/** Reads all lists side by side, each from its own place in the file: a row takes one value of each. */
export async function* rowsAcross(
  file: FileSource,
  lists: readonly ColumnList[],
  shift: number,
  { max_row_length }: FileLimits,
  tally: ImportTally,
): AsyncGenerator<RawRow> {
  const cursors = lists.map(({ start }) => new ListCursor(file, start + shift, max_row_length));
  if (cursors.length === 0) return;
  for (let row = 1; ; row += 1) {
    const entries: [string, JsonValue][] = [];
    for (const [index, cursor] of cursors.entries()) {
      const text = cursor.next() ?? (await cursor.refilled());
      if (text !== undefined) entries.push([lists[index]!.name, parsed(text, lists[index]!.name, row)]);
    }
    if (entries.length === 0) return;
    if (entries.length < cursors.length)
      throw invalid('file_malformed', `some columns end before row ${row}, others do not`, { row });
    yield rowOfEntries(entries, null, tally);
  }
}

function parsed(text: string, name: string, row: number): JsonValue {
  try {
    return parseExactly(text);
  } catch (cause) {
    throw invalid('file_malformed', `row ${row} of column ${name.slice(0, 100).toWellFormed()} is not JSON`, { row, cause });
  }
}

class ListCursor {
  readonly #file: FileSource;
  readonly #splitter: JsonListSplitter;
  #at: number;
  #elements: string[] = [];
  #next = 0;

  constructor(file: FileSource, start: number, maxLength: number) {
    this.#file = file;
    this.#at = start;
    this.#splitter = new JsonListSplitter(maxLength);
  }

  next(): string | undefined {
    const element = this.#elements[this.#next];
    this.#next += 1;
    return element;
  }

  /** Reads on until there is an element, and returns it; undefined at the end of the list. */
  async refilled(): Promise<string | undefined> {
    while (!this.#splitter.ended && this.#at < this.#file.size) {
      const { elements } = this.#splitter.push(await this.#file.read(this.#at, this.#at + CURSOR_BYTES));
      this.#at += CURSOR_BYTES;
      this.#elements = elements;
      this.#next = 0;
      if (elements.length > 0) return this.next();
    }
    return undefined;
  }
}
