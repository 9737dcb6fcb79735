import { valueText } from '../kit/formatting.ts';
import type { ShownRecord } from './shown-record.ts';

/** Summary of a record's ratings, on one line: feedback by its name, then how many annotated it. */
export function ratingsText({ feedback_rating_info, annotations }: ShownRecord): string {
  const feedback = Object.entries((feedback_rating_info ?? {}) as Record<string, { readonly value?: unknown }>);
  const annotators = new Set(Object.values((annotations ?? {}) as Record<string, object>).flatMap((by) => Object.keys(by)));
  return [
    ...feedback.map(([name, { value }]) => `${name}: ${shown(value)}`),
    ...(annotators.size > 0 ? [`${annotators.size} ${annotators.size === 1 ? 'annotator' : 'annotators'}`] : []),
  ].join(', ');
}

const shown = (value: unknown): string => (value === true ? '👍' : value === false ? '👎' : valueText(value));
