import { z } from 'zod';
import { withDefault } from '../optional.ts';
import { cleanText, Id } from '../text.ts';
import { Timestamp } from '../timestamp.ts';

/**
 * The filter families that lists of projects, log streams, scorers, datasets and the like share. Each builder makes the
 * schema of one filter with a fixed `name`. What it parses carries its `family`, and where several values make sense
 * they are a list even if one was sent, so that evaluation and translation need not ask.
 */

const MAX_VALUES = 1000;
const MAX_FILTERS = 100;
/** These compare with one value; a list beside them would be ambiguous. */
const TAKES_ONE: readonly unknown[] = ['eq', 'ne', 'contains', 'gt', 'gte', 'lt', 'lte', null, undefined];
const ONE_VALUE = { path: ['value'], message: 'this operator takes one value, not a list' };

export const FilterText = cleanText(0, 1000);
const oneOrMore = <S extends z.ZodType>(value: S) => z.union([value, z.array(value).max(MAX_VALUES)]);
const toList = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

function takesItsValue({ operator, value }: { operator?: unknown; value: unknown }): boolean {
  return !Array.isArray(value) || !TAKES_ONE.includes(operator);
}

export const stringFilter = <N extends string>(
  name: N,
  byDefault = { case_sensitive: true },
  text: z.ZodType<string> = FilterText,
) =>
  z
    .object({
      name: z.literal(name),
      operator: z.enum(['eq', 'ne', 'contains', 'one_of', 'not_in']),
      value: oneOrMore(text),
      case_sensitive: withDefault(z.boolean(), byDefault.case_sensitive),
    })
    .refine(takesItsValue, ONE_VALUE)
    .transform(({ value, ...filter }) => ({ family: 'string' as const, ...filter, values: toList(value) }));

export const idFilter = <N extends string>(name: N) =>
  z
    .object({
      name: z.literal(name),
      operator: withDefault(z.enum(['eq', 'ne', 'one_of', 'not_in', 'contains']), 'eq'),
      value: oneOrMore(Id),
    })
    .refine(takesItsValue, ONE_VALUE)
    .transform(({ value, ...filter }) => ({ family: 'id' as const, ...filter, values: toList(value) }));

export const dateFilter = <N extends string>(name: N) =>
  z
    .object({ name: z.literal(name), operator: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']), value: Timestamp })
    .transform((filter) => ({ family: 'date' as const, ...filter }));

export const numberFilter = <N extends string>(name: N) =>
  z
    .object({
      name: z.literal(name),
      operator: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between']),
      value: z.union([z.number(), z.tuple([z.number(), z.number()])]),
    })
    .refine(({ operator, value }) => Array.isArray(value) === (operator === 'between'), {
      path: ['value'],
      message: 'between takes a list of two numbers, every other operator one number',
    })
    .transform(({ value, ...filter }) => ({ family: 'number' as const, ...filter, values: toList(value) }));

export const booleanFilter = <N extends string>(name: N) =>
  z
    .object({ name: z.literal(name), operator: withDefault(z.enum(['eq', 'ne']), 'eq'), value: z.boolean() })
    .transform((filter) => ({ family: 'boolean' as const, ...filter }));

/** `members` are the values that exist; others are refused, since no row can have them. */
export const enumFilter = <N extends string, M extends string>(name: N, members: readonly M[]) =>
  z
    .object({
      name: z.literal(name),
      operator: z.enum(['eq', 'ne', 'one_of', 'not_in']),
      value: oneOrMore(z.enum(members as readonly [M, ...M[]])),
    })
    .refine(takesItsValue, ONE_VALUE)
    .transform(({ value, ...filter }) => ({ family: 'enum' as const, ...filter, values: toList<M>(value as M | M[]) }));

/** On a list of strings: `eq` means the same set, `contains` holds all of the values, `not_in` holds none of them. */
export const collectionFilter = <N extends string>(name: N) =>
  z
    .object({
      name: z.literal(name),
      operator: z.enum(['eq', 'contains', 'not_in']),
      value: oneOrMore(FilterText),
      case_sensitive: withDefault(z.boolean(), true),
    })
    .transform(({ value, ...filter }) => ({ family: 'collection' as const, ...filter, values: toList(value) }));

/** Filter on ids whose meaning depends on its name: `used_in_project`, for one, asks for a relation to the id. */
export const customUuidFilter = <N extends string>(name: N) =>
  z.object({ name: z.literal(name), value: Id }).transform((filter) => ({ family: 'custom_uuid' as const, ...filter }));

export const customBooleanFilter = <N extends string>(name: N) =>
  z
    .object({ name: z.literal(name), value: z.boolean() })
    .transform((filter) => ({ family: 'custom_boolean' as const, ...filter }));

export type StringFilter<N extends string = string> = z.output<ReturnType<typeof stringFilter<N>>>;
export type IdFilter<N extends string = string> = z.output<ReturnType<typeof idFilter<N>>>;
export type DateFilter<N extends string = string> = z.output<ReturnType<typeof dateFilter<N>>>;
export type NumberFilter<N extends string = string> = z.output<ReturnType<typeof numberFilter<N>>>;
export type BooleanFilter<N extends string = string> = z.output<ReturnType<typeof booleanFilter<N>>>;
export type EnumFilter<N extends string = string> = z.output<ReturnType<typeof enumFilter<N, string>>>;
export type CollectionFilter<N extends string = string> = z.output<ReturnType<typeof collectionFilter<N>>>;
export type CustomUuidFilter<N extends string = string> = z.output<ReturnType<typeof customUuidFilter<N>>>;
export type CustomBooleanFilter<N extends string = string> = z.output<ReturnType<typeof customBooleanFilter<N>>>;

export type Filter<N extends string = string> =
  | StringFilter<N>
  | IdFilter<N>
  | DateFilter<N>
  | NumberFilter<N>
  | BooleanFilter<N>
  | EnumFilter<N>
  | CollectionFilter<N>
  | CustomUuidFilter<N>
  | CustomBooleanFilter<N>;

/** The `filters` field of a body: all of them have to hold. Absent or null means none. */
export const filterList = <S extends z.ZodType>(filter: S) => withDefault(z.array(filter).max(MAX_FILTERS), []);
