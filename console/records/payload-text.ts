import type { JsonObject } from '../../core/kernel/json.ts';
import { isContentBlocks } from '../traces/payload.ts';

/** Texts longer than this are clipped in a cell; the record's own view shows all of it. */
const CLIPPED = 400;

/**
 * Plain text of a payload, on as many lines as it has: a text as it is, of messages the last one, of documents what
 * they hold, of content blocks their texts, and the types of those without, of anything else its JSON.
 */
export function payloadText(payload: unknown, length = CLIPPED): string {
  const text = toText(payload).trim();
  return text.length > length ? `${text.slice(0, length)} …` : text;
}

function toText(payload: unknown): string {
  if (payload === null || payload === undefined) return '';
  if (typeof payload === 'string') return payload;
  if (isContentBlocks(payload)) return payload.map(blockText).join('\n');
  if (Array.isArray(payload)) return isMessage(payload.at(-1)) ? toText(payload.at(-1)) : payload.map(toText).join(' · ');
  if (typeof payload !== 'object') return String(payload);
  const { content, text, tool_calls } = payload as Record<string, unknown>;
  if (typeof text === 'string') return text;
  if (content !== undefined && content !== null && content !== '') return toText(content);
  return JSON.stringify(tool_calls ?? payload);
}

const blockText = ({ type, text }: JsonObject): string => (typeof text === 'string' ? text : `[${String(type)}]`);

const isMessage = (one: unknown): boolean => typeof one === 'object' && one !== null && 'role' in one;
