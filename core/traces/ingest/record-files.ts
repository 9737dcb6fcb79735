import {
  besideContent,
  type DecodeBase64,
  type InlineContent,
  readDataUrl,
  readInlineBlock,
} from '../../files/inline-content.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { isCleanText } from '../../kernel/text.ts';
import { mayBeDataUrl } from '../../plugin-sdk/media-places.ts';
import { MODALITIES, type Modality } from '../../plugin-sdk/modality.ts';
import { commonField, PAYLOAD_FIELDS, type PayloadField } from '../catalogue/record-fields.ts';
import { type PayloadForm, recordType } from '../catalogue/span-types.ts';
import type { LogRecord } from '../record.ts';

/** Files that a record names, in their order, with what they hold where that is known. */
export type NamedFiles = Map<string, Modality | undefined>;

/** Takes content that stands in a record. Returns the id of its file; undefined where it has to stay in the record. */
export type TakeContent = (content: InlineContent) => string | undefined;

/** Of one record; a record that names more shows the first ones. */
const MAX_NAMED = 1_000;
const MAX_ID = 255;
/** How deep results of tools may hold content of their own. */
const MAX_DEPTH = 4;
/** Forms of a payload that may be a list of content blocks. */
const TAKES_BLOCKS: readonly PayloadForm[] = ['content', 'question', 'answer', 'anything'];

/**
 * Whether a record may name files or hold their content: it has a content block that is no text, or a text that begins like a data
 * URL. Looks at each message and block once, and into none of them: nearly all records end here.
 */
export const mayHaveFiles = (record: LogRecord): boolean => PAYLOAD_FIELDS.some((name) => mayHoldFiles(record[name]));

function mayHoldFiles(payload: JsonValue): boolean {
  if (typeof payload === 'string') return mayBeDataUrl(payload);
  if (typeof payload !== 'object' || payload === null) return false;
  return Array.isArray(payload) ? (payload as readonly JsonValue[]).some(isOrHoldsMedia) : isOrHoldsMedia(payload);
}

function isOrHoldsMedia(item: JsonValue): boolean {
  if (!isObject(item)) return false;
  const { content } = item;
  if (typeof content === 'string') return mayBeDataUrl(content) || isMediaBlock(item);
  return Array.isArray(content) ? (content as readonly JsonValue[]).some(isMediaBlock) : isMediaBlock(item);
}

const isMediaBlock = (item: JsonValue): boolean =>
  isObject(item) && typeof item.type === 'string' && item.type !== 'text' && !Object.hasOwn(item, 'role');

/** The record with references in place of the content that stands in it, and the files that it then names. */
export function withFiles(record: LogRecord, decode: DecodeBase64, take: TakeContent): { record: LogRecord; named: NamedFiles } {
  const named: NamedFiles = new Map();
  const changes: Partial<Record<PayloadField, JsonValue>> = {};
  const reader = new PayloadReader(named, decode, take);
  for (const name of PAYLOAD_FIELDS) {
    if (!mayHoldFiles(record[name])) continue;
    const { side } = commonField(name);
    const form = recordType(record.type)[side!];
    const read = reader.payload(record[name], TAKES_BLOCKS.includes(form));
    if (read !== record[name]) changes[name] = read;
  }
  const changed = Object.keys(changes).length > 0 ? { ...record, ...changes } : record;
  return { record: namingFiles(changed, named), named };
}

/** The record with these files among its attributes. */
export function namingFiles(record: LogRecord, named: NamedFiles): LogRecord {
  const { file_ids, file_modalities, ...rest } = record.attributes;
  if (named.size === 0) return file_ids === undefined && file_modalities === undefined ? record : { ...record, attributes: rest };
  const held = new Set(named.values());
  const modalities = MODALITIES.filter((one) => held.has(one));
  const own = { file_ids: [...named.keys()], ...(modalities.length > 0 && { file_modalities: modalities }) };
  return { ...record, attributes: { ...rest, ...own } };
}

class PayloadReader {
  readonly #named: NamedFiles;
  readonly #decode: DecodeBase64;
  readonly #take: TakeContent;

  constructor(named: NamedFiles, decode: DecodeBase64, take: TakeContent) {
    this.#named = named;
    this.#decode = decode;
    this.#take = take;
  }

  payload(payload: JsonValue, takesBlocks: boolean): JsonValue {
    if (typeof payload === 'string') return takesBlocks ? this.#text(payload) : payload;
    if (Array.isArray(payload)) return this.#list(payload, 0);
    return isObject(payload) ? this.#item(payload, 0) : payload;
  }

  #list(items: readonly JsonValue[], depth: number): JsonValue {
    const read = items.map((item) => (isObject(item) ? this.#item(item, depth) : item));
    return read.some((item, at) => item !== items[at]) ? read : (items as JsonValue);
  }

  /** A message, or a content block; one may hold others. */
  #item(item: JsonObject, depth: number): JsonValue {
    const { type, content } = item;
    if (type === 'text' && !Object.hasOwn(item, 'role')) return item;
    if (Array.isArray(content) && depth < MAX_DEPTH) {
      const read = this.#list(content, depth + 1);
      return read === content ? item : { ...item, content: read };
    }
    if (Object.hasOwn(item, 'role')) {
      const read = typeof content === 'string' ? this.#text(content) : content;
      return read === content || read === undefined ? item : { ...item, content: read };
    }
    return typeof type === 'string' ? this.#block(item) : item;
  }

  #block(block: JsonObject): JsonValue {
    if (typeof block.file_id === 'string') {
      this.#name(
        block.file_id,
        MODALITIES.find((one) => one === block.modality),
      );
      return block;
    }
    const content = readInlineBlock(block, this.#decode);
    const reference = content && this.#keep(content);
    return reference ? { ...besideContent(block), ...reference } : block;
  }

  #text(text: string): JsonValue {
    const content = readDataUrl(text, this.#decode);
    const reference = content && this.#keep(content);
    return reference ? [reference] : text;
  }

  #keep(content: InlineContent): JsonObject | undefined {
    const file_id = this.#take(content);
    if (file_id === undefined) return undefined;
    this.#name(file_id, content.modality);
    return { type: 'file', file_id, modality: content.modality };
  }

  #name(id: string, modality: Modality | undefined): void {
    if (this.#named.size < MAX_NAMED && id.length <= MAX_ID && isCleanText(id))
      this.#named.set(id, this.#named.get(id) ?? modality);
  }
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
