const MAX_CHARACTERS = 1500;
const MAX_LINES = 30;
/** Less than this is not worth a button. */
const SLACK = 200;

/** As much of a text as is shown before it is opened: all of a short one. */
export function getBeginning(text: string): string {
  let end = Math.min(text.length, MAX_CHARACTERS);
  let at = -1;
  for (let line = 0; line < MAX_LINES; line += 1) {
    at = text.indexOf('\n', at + 1);
    if (at < 0 || at >= end) break;
    if (line === MAX_LINES - 1) end = at;
  }
  if (text.length - end < SLACK) return text;
  // Half of a pair of surrogates is no character.
  return text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
