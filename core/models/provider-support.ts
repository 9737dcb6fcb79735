import { notTaken, UnsupportedPartError } from '../integrations/provider-failure.ts';
import { type ModelParameter, type ModelProvider, OPTIONAL_PARAMETERS } from '../plugin-sdk/index.ts';
import type { Question } from './model-call.ts';

/** A question as a provider is asked it, and which parameters it goes without. */
export interface FittedQuestion {
  readonly question: Question;
  readonly left_out: readonly ModelParameter[];
}

/**
 * Leaves out the parameters that a provider does not send and that the answer is worth something without. Throws an
 * UnsupportedPartError, with words for users, when it would not send any other part of the question.
 */
export function fitToProvider({ supports = [] }: Pick<ModelProvider, 'supports'>, question: Question): FittedQuestion {
  if (hasTools(question) && !supports.includes('tools'))
    throw new UnsupportedPartError('the provider takes no tools, or none as it is set up');
  if (question.response_format && !supports.includes('response_format'))
    throw new UnsupportedPartError('the provider takes no response format, or none as it is set up');
  const left_out = OPTIONAL_PARAMETERS.filter((name) => question[name] !== undefined && !supports.includes(name));
  const missed = left_out.find((name) => question.required?.includes(name));
  if (missed) throw new UnsupportedPartError(notTaken('provider', missed));
  if (left_out.length === 0) return { question, left_out };
  const rest = Object.entries(question).filter(([name]) => !left_out.some((one) => one === name));
  return { question: Object.fromEntries(rest) as unknown as Question, left_out };
}

const hasTools = ({ tools, messages }: Question): boolean =>
  tools !== undefined || messages.some(({ role, tool_calls }) => role === 'tool' || tool_calls !== undefined);
