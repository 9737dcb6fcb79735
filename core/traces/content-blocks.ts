import type { JsonObject, JsonValue } from '../kernel/json.ts';

/**
 * Whether a payload is a list of content blocks (`{"type": "text", "text"}`, `{"type": "file", "file_id"}` and the like): every
 * element has a type and none a role, which makes it a message. A list of nothing but documents, which may have a type, too,
 * is not one. Costs one look at the first element for all other lists.
 */
export const isContentBlocks = (payload: JsonValue): payload is readonly JsonObject[] =>
  Array.isArray(payload) &&
  payload.length > 0 &&
  (payload as readonly JsonValue[]).every(isBlock) &&
  !(payload as readonly JsonObject[]).every(isDocument);

/** Text of content blocks that is searched, filtered, judged and shown: their texts, each on lines of its own. */
export const contentText = (blocks: readonly JsonObject[]): string =>
  blocks.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');

const isBlock = (value: JsonValue): boolean =>
  typeof value === 'object' && value !== null && typeof (value as JsonObject).type === 'string' && !Object.hasOwn(value, 'role');

const isDocument = ({ content, page_content }: JsonObject): boolean => typeof (content ?? page_content) === 'string';
