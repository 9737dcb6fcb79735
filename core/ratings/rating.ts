import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { cleanText } from '../kernel/text.ts';

export const RATING_TYPES = ['like_dislike', 'star', 'score', 'tags', 'text'] as const;
export const RatingType = z.enum(RATING_TYPES);
export type RatingType = z.output<typeof RatingType>;

/** A boolean for `like_dislike`, 1 to 5 for `star`, an integer for `score`, texts for `tags`, a text for `text`. */
export type RatingValue = boolean | number | string | readonly string[];
export const RatingValue = z.union([z.boolean(), z.int(), z.string().max(10_000), z.array(cleanText(1, 255)).max(50)]);

export const Explanation = z.string().max(10_000);

/** Rule for the values of a rating, beyond its type. */
export interface RatingRule {
  readonly type: RatingType;
  /** Of `tags`; empty allows all. */
  readonly choices: readonly string[];
  /** Of `score`. */
  readonly min: number;
  readonly max: number;
}

export const MAX_STARS = 5;

/** Why a value is no rating of the kind; undefined when it is one. */
export function toProblem({ type, choices, min, max }: RatingRule, value: RatingValue): string | undefined {
  switch (type) {
    case 'like_dislike':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false';
    case 'star':
      return inRange(value, 1, MAX_STARS) ? undefined : `is no whole number from 1 to ${MAX_STARS}`;
    case 'score':
      return inRange(value, min, max) ? undefined : `is no whole number from ${min} to ${max}`;
    case 'text':
      return typeof value === 'string' ? undefined : 'is no text';
    case 'tags': {
      if (!Array.isArray(value)) return 'is no list of strings';
      const unknown = choices.length === 0 ? undefined : value.find((tag) => !choices.includes(tag));
      return unknown === undefined ? undefined : `"${unknown}" is none of the choices`;
    }
  }
}

const inRange = (value: RatingValue, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max;

/** The bounds of a score where nobody set others. */
export const DEFAULT_RULE = { choices: [], min: 0, max: 100 } as const;

/** Throws AppError `invalid` when the value is no rating of the kind. */
export function refuseInvalid(rule: RatingRule, value: RatingValue, loc: readonly (string | number)[] = ['body', 'value']): void {
  const problem = toProblem(rule, value);
  if (problem === undefined) return;
  const issues = [{ loc, msg: problem, type: 'rating_invalid', input: value }];
  throw new AppError('invalid', 'rating_invalid', `the rating ${problem}`, { issues });
}

export const recordNotFound = (id: string): AppError =>
  new AppError('not_found', 'record_not_found', `record ${id} does not exist in this run`);
