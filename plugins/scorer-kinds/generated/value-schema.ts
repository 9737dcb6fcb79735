import type { OutputType } from '../../../core/plugin-sdk/index.ts';
import type { VerdictForm } from './verdict-form.ts';

type Schema = Readonly<Record<string, unknown>>;

/** How a verdict is asked for: as JSON Schema with types and enums only, because strict modes refuse more, and in words. */
interface Asked {
  readonly schema: (form: VerdictForm) => Schema;
  readonly words: (form: VerdictForm) => string;
}

const text = ({ labels }: VerdictForm): Schema => ({ type: 'string', ...(labels && { enum: labels }) });
const textList = (form: VerdictForm): Schema => ({ type: 'array', items: text(form) });
const quoted = (labels: readonly string[]): string => labels.map((label) => JSON.stringify(label)).join(', ');
const someOf = ({ labels }: VerdictForm): string =>
  labels
    ? `a list of those of ${quoted(labels)} that apply, each at most once; [] when none does`
    : 'a list of strings, each at most once; [] when none applies';

const ASKED: Readonly<Record<OutputType, Asked>> = {
  boolean: { schema: () => ({ type: 'boolean' }), words: () => 'true or false' },
  categorical: {
    schema: text,
    words: ({ labels }) => (labels ? `one of ${quoted(labels)}` : 'a short text'),
  },
  count: { schema: () => ({ type: 'integer' }), words: () => 'a whole number, 0 or more' },
  discrete: {
    schema: () => ({ type: 'integer' }),
    words: ({ range: { min, max } }) => `a whole number from ${min} to ${max}`,
  },
  percentage: { schema: () => ({ type: 'number' }), words: () => 'a number from 0 to 1' },
  freeform: { schema: () => ({ type: 'string' }), words: () => 'a text' },
  multilabel: { schema: textList, words: someOf },
  boolean_multilabel: {
    schema: (form) => {
      const { labels } = form;
      if (!labels) return textList(form);
      const properties = Object.fromEntries(labels.map((label) => [label, { type: 'boolean' }]));
      return { type: 'object', properties, required: labels, additionalProperties: false };
    },
    words: (form) => (form.labels ? `an object with true or false for each of ${quoted(form.labels)}` : someOf(form)),
  },
  retrieved_chunk_list_boolean: {
    schema: () => ({ type: 'array', items: { type: 'boolean' } }),
    words: ({ chunks }) =>
      chunks === undefined
        ? 'a list of true or false, one for each chunk in its order'
        : `a list of exactly ${chunks} times true or false, one for each chunk in its order`,
  },
};

export const valueSchema = (form: VerdictForm): Schema => ASKED[form.output_type].schema(form);

export const valueWords = (form: VerdictForm): string => ASKED[form.output_type].words(form);
