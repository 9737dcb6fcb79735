import type { InputType, Surroundings } from '../../core/plugin-sdk/index.ts';
import type { Sight } from './seen-record.ts';
import type { Variable } from './template.ts';
import { retrieved, toVariableText } from './variables.ts';

export interface Piece {
  /** Name of the piece, for its delimiters. */
  readonly name: string;
  readonly text: string;
}

interface Show {
  /** Records of these types only; absent is any. */
  readonly of?: readonly string[];
  readonly surroundings: Surroundings;
  readonly pieces: readonly Exclude<Variable, 'material'>[];
  /** Shown where there is any. */
  readonly extras?: (sight: Sight) => Readonly<Record<string, string | undefined>>;
}

/** Text of `{{material}}` for each input type. */
const SHOWN: Readonly<Record<InputType, Show>> = {
  basic: { surroundings: 'none', pieces: ['input', 'output'] },
  trace_input_only: { surroundings: 'none', pieces: ['input'] },
  trace_output_only: { surroundings: 'none', pieces: ['output'] },
  trace_io_only: { surroundings: 'none', pieces: ['input', 'output'] },
  trace_normalized: { surroundings: 'trace', pieces: ['trace'] },
  sessions_trace_io_only: { of: ['session', 'trace'], surroundings: 'session', pieces: ['conversation'] },
  sessions_normalized: { of: ['session', 'trace'], surroundings: 'session', pieces: ['trace'] },
  llm_spans: {
    of: ['llm'],
    surroundings: 'none',
    pieces: ['input', 'output'],
    extras: (sight) => ({ tools: toVariableText('tools', sight), model: sight.record.model ?? undefined }),
  },
  retriever_spans: { of: ['retriever'], surroundings: 'none', pieces: ['input', 'context'] },
  tool_spans: {
    of: ['tool'],
    surroundings: 'trace',
    pieces: ['input'],
    extras: (sight) => ({
      tool: sight.record.name,
      output: toVariableText('output', sight),
      status: sight.record.status_code?.toString(),
      definition: toVariableText('tools', sight),
    }),
  },
  agent_spans: { of: ['agent'], surroundings: 'trace', pieces: ['input', 'output', 'trace'] },
  workflow_spans: { of: ['workflow'], surroundings: 'trace', pieces: ['input', 'output', 'trace'] },
};

const WIDTH: readonly Surroundings[] = ['none', 'trace', 'session'];

/** How far one has to look to fill these variables for an input type. */
export function getSurroundings(input_type: InputType, variables: readonly string[]): Surroundings {
  const isOwn = (name: string) =>
    ['input', 'output', 'ground_truth', 'material'].includes(name) ||
    (name === 'context' && input_type === 'retriever_spans') ||
    (['tools', 'conversation'].includes(name) && input_type === 'llm_spans');
  const wanted = variables.filter((name) => !isOwn(name)).map((name) => (name === 'conversation' ? 'session' : 'trace'));
  return WIDTH.findLast((width) => width === SHOWN[input_type].surroundings || wanted.some((one) => one === width)) ?? 'none';
}

/** Why there is nothing to judge in a record; undefined when there is. */
export function notApplicable(input_type: InputType, sight: Sight): string | undefined {
  const { of } = SHOWN[input_type];
  const { type } = sight.record;
  if (of && !of.includes(type)) return `a record of type ${type || 'unknown'} is none of ${input_type}`;
  return input_type === 'retriever_spans' && retrieved(sight).length === 0 ? 'nothing was retrieved' : undefined;
}

/** The variables that `{{material}}` stands for. */
export const toParts = (input_type: InputType) => SHOWN[input_type].pieces;

/** Further pieces of `{{material}}`, where there are any. */
export function toExtras(input_type: InputType, sight: Sight): Piece[] {
  const extras = Object.entries(SHOWN[input_type].extras?.(sight) ?? {});
  return extras.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}
