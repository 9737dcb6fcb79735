import { UnsupportedPartError } from '../integrations/provider-failure.ts';
import type { ModelProvider } from '../plugin-sdk/index.ts';
import type { Question } from './model-call.ts';

/** Throws an UnsupportedPartError, with words for users, when the provider would not send a part of the question. */
export function requireSupport({ supports = [] }: Pick<ModelProvider, 'supports'>, question: Question): void {
  if (hasTools(question) && !supports.includes('tools'))
    throw new UnsupportedPartError('the provider takes no tools, or none as it is set up');
  if (question.response_format && !supports.includes('response_format'))
    throw new UnsupportedPartError('the provider takes no response format, or none as it is set up');
}

const hasTools = ({ tools, messages }: Question): boolean =>
  tools !== undefined || messages.some(({ role, tool_calls }) => role === 'tool' || tool_calls !== undefined);
