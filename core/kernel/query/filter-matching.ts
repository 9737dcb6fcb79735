import { sortableTime } from '../timestamp.ts';
import type { CollectionFilter, Filter } from './filter.ts';

/** Value of a row under a filter's name. Null is unlike everything: only `ne` and `not_in` hold for it. */
export type FilterValue = string | number | boolean | null | readonly string[];

const fold = (text: string): string => text.toLowerCase();
const asIs = (text: string): string => text;

/** Whether a row whose value is `value` passes. The PostgreSQL translation means the same, by a property test. */
export function matches(filter: Filter, value: FilterValue): boolean {
  switch (filter.family) {
    case 'string':
      return matchesText(filter, value, filter.case_sensitive ? asIs : fold);
    case 'id':
    case 'enum':
      return matchesText(filter.operator === 'contains' ? { ...filter, operator: 'eq' } : filter, value, asIs);
    case 'date':
      return compares(filter.operator, typeof value === 'string' ? sortableTime(value) : null, [sortableTime(filter.value)]);
    case 'number':
      return compares(filter.operator, typeof value === 'number' ? value : null, filter.values);
    case 'boolean':
      return (filter.value === value) === (filter.operator === 'eq');
    case 'collection':
      return matchesCollection(filter, Array.isArray(value) ? (value as readonly string[]) : []);
    case 'custom_uuid':
      return Array.isArray(value) ? value.includes(filter.value) : value === filter.value;
    case 'custom_boolean':
      return value === filter.value;
  }
}

/** Whether a row passes all filters, as filters of one list are joined. */
export function matchesAll<N extends string>(filters: readonly Filter<N>[], read: (name: N) => FilterValue): boolean {
  return filters.every((filter) => matches(filter, read(filter.name)));
}

type TextTest = { readonly operator: string; readonly values: readonly string[] };

function matchesText({ operator, values }: TextTest, value: FilterValue, form: (text: string) => string): boolean {
  if (typeof value !== 'string') return operator === 'ne' || operator === 'not_in';
  const text = form(value);
  const wanted = values.map(form);
  if (operator === 'contains') return wanted.some((part) => text.includes(part));
  return wanted.includes(text) === (operator === 'eq' || operator === 'one_of');
}

function compares<T extends string | number>(operator: string, value: T | null, operands: readonly T[]): boolean {
  const [first, second] = operands as readonly [T, T?];
  if (value === null) return operator === 'ne';
  switch (operator) {
    case 'eq':
      return value === first;
    case 'ne':
      return value !== first;
    case 'gt':
      return value > first;
    case 'gte':
      return value >= first;
    case 'lt':
      return value < first;
    case 'lte':
      return value <= first;
    default:
      return value >= first && second !== undefined && value <= second;
  }
}

export function matchesCollection(
  { operator, values, case_sensitive }: Pick<CollectionFilter, 'operator' | 'values' | 'case_sensitive'>,
  held: readonly string[],
): boolean {
  const form = case_sensitive ? asIs : fold;
  const wanted = values.map(form);
  const present = new Set(held.map(form));
  if (operator === 'not_in') return !wanted.some((text) => present.has(text));
  const holdsAll = wanted.every((text) => present.has(text));
  return operator === 'contains' ? holdsAll : holdsAll && new Set(wanted).size === present.size;
}
