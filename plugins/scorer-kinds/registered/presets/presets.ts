import { type CodedPreset, coded, codedInPython } from './coded.ts';

const compared = { tags: ['text'], ground_truth: true } as const;
const counted = { tags: ['text'], output_type: 'count' } as const;
const ranked = {
  tags: ['rag'],
  output_type: 'percentage',
  node_type: 'retriever',
  required_scorers: ['chunk_relevance'],
} as const;

const trajectory = { tags: ['agent', 'trajectory'] } as const;

const presets: readonly CodedPreset[] = [
  { ...compared, name: 'exact_match', description: 'Whether output and ground truth are the same text.', output_type: 'boolean' },
  { ...compared, name: 'contains', description: 'Whether the output contains the ground truth.', output_type: 'boolean' },
  { ...compared, name: 'starts_with', description: 'Whether the output begins with the ground truth.', output_type: 'boolean' },
  {
    ...compared,
    name: 'regex',
    description: 'Whether the output matches the ground truth, read as a regular expression.',
    output_type: 'boolean',
  },
  { ...counted, name: 'length', description: 'Characters of the output.' },
  { ...counted, name: 'word_count', description: 'Words of the output.' },
  { ...counted, name: 'sentence_count', description: 'Sentences of the output.' },
  { name: 'json_valid', description: 'Whether the output is JSON.', tags: ['text'], output_type: 'boolean' },
  {
    ...compared,
    name: 'json_schema_valid',
    description: 'Whether the output is JSON that matches the ground truth, read as a JSON Schema.',
    output_type: 'boolean',
  },
  { ...compared, name: 'json_diff', description: 'How alike output and ground truth are as JSON.', output_type: 'percentage' },
  { ...compared, name: 'numeric_diff', description: 'How near two numbers are.', output_type: 'percentage' },
  {
    ...compared,
    name: 'levenshtein_ratio',
    description: 'How alike output and ground truth are, character by character.',
    output_type: 'percentage',
  },
  { ...compared, name: 'bleu', description: 'BLEU-4 of the output against the ground truth.', output_type: 'percentage' },
  { ...compared, name: 'rouge', description: 'ROUGE-L of the output against the ground truth.', output_type: 'percentage' },
  { ...compared, name: 'rouge_n', description: 'ROUGE-2 of the output against the ground truth.', output_type: 'percentage' },
  { ...ranked, name: 'context_precision', description: 'Whether relevant chunks are ranked first.' },
  { ...ranked, name: 'precision_at_k', description: 'Which share of the first three chunks is relevant.' },
  {
    name: 'input_pii',
    description: 'Kinds of personal data in the input that are known by their form.',
    tags: ['safety'],
    output_type: 'multilabel',
  },
  {
    name: 'output_pii',
    description: 'Kinds of personal data in the output that are known by their form.',
    tags: ['safety'],
    output_type: 'multilabel',
  },
  {
    ...trajectory,
    name: 'tool_order',
    description: 'Which share of the tools that the ground truth lists, as JSON or with commas, were called in that order.',
    output_type: 'percentage',
    ground_truth: true,
  },
  {
    ...trajectory,
    name: 'tool_loops',
    description: 'How many calls of a tool repeat the one before them: the same tool with the same input.',
    output_type: 'count',
  },
  {
    ...trajectory,
    name: 'tool_arguments_valid',
    description:
      'Which share of the calls of tools have arguments that fit the schema by which the tool was offered to the model.',
    output_type: 'percentage',
  },
  {
    ...trajectory,
    name: 'turns',
    description: 'Traces of a session: how often the user took a turn.',
    output_type: 'count',
    node_type: 'session',
  },
  {
    name: 'tool_status_error',
    description: 'Whether the call of a tool ended with a status of 400 or above.',
    tags: ['agent', 'operation'],
    output_type: 'boolean',
    node_type: 'tool',
  },
  { name: 'latency', description: 'Milliseconds that the record took.', tags: ['operation'], output_type: 'discrete' },
  {
    name: 'tokens',
    description: 'Tokens of a model call, in and out.',
    tags: ['operation'],
    output_type: 'count',
    node_type: 'llm',
  },
  {
    name: 'cost',
    description: 'What a model call cost, in US dollars, as its sender stated it.',
    tags: ['operation'],
    output_type: 'discrete',
    node_type: 'llm',
  },
  {
    name: 'uncertainty',
    description: 'How unsure a model was of its answer, by the metric output_token_logprobs that is logged with the call.',
    tags: ['operation'],
    output_type: 'percentage',
    node_type: 'llm',
  },
  {
    name: 'prompt_perplexity',
    description: 'How surprising a prompt was to its model, by the metric prompt_token_logprobs that is logged with the call.',
    tags: ['operation'],
    output_type: 'discrete',
    node_type: 'llm',
  },
];

/** Those that are there in Python too. */
const IN_PYTHON: ReadonlySet<string> = new Set([
  ...[
    'exact_match',
    'contains',
    'starts_with',
    'length',
    'word_count',
    'sentence_count',
    'json_valid',
    'json_diff',
    'numeric_diff',
  ],
  ...[
    'levenshtein_ratio',
    'rouge',
    'rouge_n',
    'context_precision',
    'precision_at_k',
    'tool_loops',
    'tool_status_error',
    'latency',
  ],
]);

export const CODE_PRESETS = [...presets.map(coded), ...presets.filter(({ name }) => IN_PYTHON.has(name)).map(codedInPython)];
