import type { ScorerFilter } from '../../../core/scores/metric-settings.ts';
import { operatorText } from '../filter.ts';

/** A condition of a scorer or of a sample in words; it arrives as whatever was stored. */
export function conditionText(stored: Readonly<Record<string, unknown>>): string {
  const { name, key, operator, value } = stored as unknown as ScorerFilter;
  const what = name === 'metadata' ? `metadata ${key ?? ''}` : 'name';
  return `${what} ${operatorText(operator)} ${[value].flat().join(', ')}`;
}

/**
 * The condition that a form says; null where it says none. Metadata is meant when a key is given. Lists are typed with
 * commas; what the form has no field for stays as it was stored.
 */
export function readScorerCondition(values: FormData, stored: Readonly<Record<string, unknown>> = {}): object | null {
  const [key, text] = ['key', 'value'].map((name) => String(values.get(name) ?? '').trim());
  if (!text) return null;
  const operator = String(values.get('operator') ?? 'eq');
  const value = operator === 'one_of' || operator === 'not_in' ? text.split(',').map((one) => one.trim()) : text;
  return { ...stored, ...(key ? { name: 'metadata', key } : { name: 'node_name', key: null }), operator, value };
}
