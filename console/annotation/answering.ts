import type { AnnotationTemplate } from '../../core/ratings/annotation-template.ts';
import type { RatingValue } from '../../core/ratings/rating.ts';

/** Answers by template. */
export type Draft = Readonly<Record<string, RatingValue>>;

type Question = Pick<AnnotationTemplate, 'id' | 'annotation_type'> & { readonly choices: readonly string[] };

/** Meaning of a key of the keyboard. */
export type KeyAction =
  | { readonly kind: 'answer'; readonly template_id: string; readonly value: RatingValue }
  | { readonly kind: 'skip' | 'next' | 'previous' };

/** Values of a question in the order of the keys 1 to 9; none where answers are typed. */
export function toOptions({ annotation_type, choices }: Omit<Question, 'id'>): readonly RatingValue[] {
  switch (annotation_type) {
    case 'like_dislike':
      return [true, false];
    case 'star':
      return [1, 2, 3, 4, 5];
    case 'tags':
      return choices.slice(0, 9);
    default:
      return [];
  }
}

/** The question that keys answer: the active one, where one was chosen, else the first that lacks an answer. */
export function findActive(questions: readonly Question[], draft: Draft, active: string | undefined): Question | undefined {
  const chosen = questions.find(({ id }) => id === active);
  return chosen ?? questions.find(({ id }) => !isAnswered(draft[id]));
}

export const isComplete = (questions: readonly Question[], draft: Draft): boolean =>
  questions.every(({ id }) => isAnswered(draft[id]));

export function toKeyAction(key: string, question: Question | undefined, draft: Draft): KeyAction | undefined {
  if (key === 's') return { kind: 'skip' };
  if (key === 'n' || key === 'Enter') return { kind: 'next' };
  if (key === 'p') return { kind: 'previous' };
  if (!/^[1-9]$/.test(key) || !question) return undefined;
  const option = toOptions(question)[Number(key) - 1];
  if (option === undefined) return undefined;
  const value = question.annotation_type === 'tags' ? toggled(draft[question.id], String(option)) : option;
  return { kind: 'answer', template_id: question.id, value };
}

function toggled(value: RatingValue | undefined, tag: string): string[] {
  const chosen = typeof value === 'object' ? value : [];
  return chosen.includes(tag) ? chosen.filter((one) => one !== tag) : [...chosen, tag];
}

/** An emptied field is no answer; no tags are one. */
const isAnswered = (value: RatingValue | undefined): boolean => value !== undefined && value !== '' && !Number.isNaN(value);
