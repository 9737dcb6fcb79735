import type { InputType, ScorerPreset } from '../../../../core/plugin-sdk/index.ts';
import { presetLabel } from '../../preset-label.ts';

/** An example in a prompt: material as a judge would see it, and what a good judge answers. */
export interface JudgedExample {
  readonly material: string;
  readonly explanation: string;
  readonly rating: unknown;
}

/** A judge as its author thinks of it. */
export interface JudgedPreset extends Pick<ScorerPreset, 'name' | 'description' | 'tags' | 'output_type'> {
  readonly input_type: InputType;
  readonly num_judges: number;
  readonly role: string;
  readonly criterion: string;
  /** One line for each value, or step of a scale. */
  readonly rubric: readonly string[];
  /** Properties that must not count. */
  readonly ignore: string;
  /** Rule for material that does not tell. */
  readonly unsure: string;
  /** With variables. */
  readonly question: string;
  readonly examples?: readonly JudgedExample[];
  readonly labels?: readonly string[];
  readonly ground_truth?: boolean;
}

const NODE_TYPES: Readonly<Record<InputType, string>> = {
  basic: 'trace',
  trace_input_only: 'trace',
  trace_output_only: 'trace',
  trace_io_only: 'trace',
  trace_normalized: 'trace',
  sessions_normalized: 'session',
  sessions_trace_io_only: 'session',
  llm_spans: 'llm',
  retriever_spans: 'retriever',
  tool_spans: 'tool',
  agent_spans: 'agent',
  workflow_spans: 'workflow',
};

/** The order that a prompt goes in: role, criterion, rubric, what not to judge, what to do in doubt; then examples and the question. */
export function judged(given: JudgedPreset): ScorerPreset {
  const { name, description, tags, output_type, input_type, num_judges, labels, ground_truth = false } = given;
  const rubric = given.rubric.map((line) => `- ${line}`).join('\n');
  return {
    name,
    label: presetLabel(name),
    description,
    tags,
    definition: {
      model_name: 'gpt-4.1-mini',
      num_judges,
      cot_enabled: true,
      output_type,
      input_type,
      ground_truth,
      ...(labels && { labels }),
      chain_poll_template: {
        template: given.question,
        metric_system_prompt: given.role,
        metric_description: [
          `Criterion: ${given.criterion}`,
          `Verdicts:\n${rubric}`,
          `Do not judge: ${given.ignore}`,
          `In doubt: ${given.unsure}`,
        ].join('\n\n'),
        metric_few_shot_examples: (given.examples ?? []).map(({ material, explanation, rating }) => ({
          generation_prompt_and_response: material,
          evaluating_response: JSON.stringify({ explanation, rating }),
        })),
      },
    },
    output_type,
    input_type,
    scoreable_node_types: [NODE_TYPES[input_type]],
    ground_truth,
    required_scorers: null,
  };
}
