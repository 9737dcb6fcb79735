/** In Unicode's composed form, without blanks around it. */
export const cleanScoreText = (text: string): string => text.normalize('NFC').trim();

/** Removes double quotes around a whole text; any other text stays as it is. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const parsed = parsedJson(text);
  if (typeof parsed === 'string') return cleanScoreText(parsed);
  return /^"[^"]*"$/.test(text) && text.length > 1 ? cleanScoreText(text.slice(1, -1)) : text;
}

/** Undefined for a text that is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Labels are the same when their keys are: neither case nor the width of inner blanks tells them apart. */
export const labelKey = (label: string): string => label.replace(/\s+/g, ' ').toLowerCase().normalize('NFC');

/** A label: a text as it was written, a number or a boolean as its text. Undefined for anything else; may be empty. */
export function readLabel(given: unknown): string | undefined {
  if (typeof given === 'string') return unquoted(cleanScoreText(given));
  return typeof given === 'number' || typeof given === 'boolean' ? String(given) : undefined;
}
