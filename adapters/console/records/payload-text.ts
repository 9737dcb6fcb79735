/** Texts longer than this are clipped in a cell; the record's own view shows all of it. */
const CLIPPED = 400;

/**
 * What a payload says, on as many lines as it has: a text as it is, of messages the last one, of documents what they hold,
 * of anything else its JSON.
 */
export function payloadText(payload: unknown): string {
  const text = textOf(payload).trim();
  return text.length > CLIPPED ? `${text.slice(0, CLIPPED)} …` : text;
}

function textOf(payload: unknown): string {
  if (payload === null || payload === undefined) return '';
  if (typeof payload === 'string') return payload;
  if (Array.isArray(payload)) return isMessage(payload.at(-1)) ? textOf(payload.at(-1)) : payload.map(textOf).join(' · ');
  if (typeof payload !== 'object') return String(payload);
  const { content, text, tool_calls } = payload as Record<string, unknown>;
  if (typeof text === 'string') return text;
  if (content !== undefined && content !== null && content !== '') return textOf(content);
  return JSON.stringify(tool_calls ?? payload);
}

const isMessage = (one: unknown): boolean => typeof one === 'object' && one !== null && 'role' in one;
