import type { TextRange } from '../text-range.ts';

const LOCAL = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u;
const LABEL = /[\p{L}\p{N}-]/u;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** E-mail addresses, found by their `@`: each costs no more than the length that an address may have. */
export function findEmails(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = getLocalStart(text, at, found.at(-1)?.end ?? 0);
    const end = getDomainEnd(text, at);
    if (start < at && end > at) found.push({ start, end });
  }
  return found;
}

function getLocalStart(text: string, at: number, least: number): number {
  let start = at;
  while (start > least && at - start < MAX_LOCAL && LOCAL.test(text[start - 1]!)) start -= 1;
  return start;
}

/** Behind the last label of a domain with two labels or more; `at` when there is none. */
function getDomainEnd(text: string, at: number): number {
  let end = at;
  let labels = 0;
  for (let from = at + 1; from <= text.length; ) {
    let to = from;
    while (to < text.length && to - at <= MAX_DOMAIN && LABEL.test(text[to]!)) to += 1;
    if (to === from) break;
    labels += 1;
    end = to;
    if (text[to] !== '.') break;
    from = to + 1;
  }
  return labels > 1 ? end : at;
}
