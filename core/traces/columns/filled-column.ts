import type { JsonValue } from '../../kernel/json.ts';
import { valueText } from '../read/value-text.ts';

/** Whether a value makes its column more than empty: it is neither missing nor an empty text or list. */
export function isFilled(value: JsonValue): boolean {
  const text = valueText(value);
  return text !== null && text !== '' && text !== '[]';
}
