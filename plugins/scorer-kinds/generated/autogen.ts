import { type AutogenWish, type OutputType, type ScorerAutogen, z } from '../../../core/plugin-sdk/index.ts';

/** Schema of the model's reply. */
const WrittenJudge = z.object({
  metric_system_prompt: z.string().min(1).max(20_000),
  metric_description: z.string().min(1).max(50_000),
  template: z.string().min(1).max(50_000),
});

const WRITTEN_SCHEMA = {
  type: 'object',
  properties: {
    metric_system_prompt: { type: 'string' },
    metric_description: { type: 'string' },
    template: { type: 'string' },
  },
  required: ['metric_system_prompt', 'metric_description', 'template'],
  additionalProperties: false,
} as const;

const VALUES: Readonly<Record<OutputType, string>> = {
  boolean: 'true or false; true means that the criterion is met',
  categorical: 'one of a few named classes; name and describe each',
  count: 'a whole number from 0 on',
  discrete: 'a whole number from 1 (worst) to 5 (best); describe each step',
  freeform: 'a short text',
  percentage: 'a number from 0 to 1',
  multilabel: 'a list of labels, possibly empty; name and describe each',
  boolean_multilabel: 'true or false for each of several labels; name and describe each',
  retrieved_chunk_list_boolean: 'true or false for each retrieved chunk, in their order',
};

const SYSTEM = `You write the prompts of language models that judge the work of other applications. Write precisely and plainly.
Answer with a JSON object of three texts:
metric_system_prompt: role and task of the judge, two or three sentences.
metric_description: the definition of the criterion; a rubric for each possible value, with what to do in borderline cases and when it
cannot be told; and what the judge must not take into account.
template: the question to the judge, with the variables {{input}} and {{output}} in it, each at most once, for what the application
was given and what it answered. {{context}} stands for retrieved chunks and {{tools}} for tools, where the criterion is about these. No
other words in double braces. Do not describe the form of the answer: it is added by the caller.`;

/** Has a model write the prompts of a judge. */
export const autogen: ScorerAutogen = {
  question: (wish) => ({
    system: SYSTEM,
    messages: [{ role: 'user', content: toContent(wish) }],
    schema: WRITTEN_SCHEMA,
    max_tokens: 4_000,
  }),
  read(text, { model_name, output_type, cot_enabled }) {
    const written = readWritten(text);
    if (!written) return 'the answer has to be a JSON object of the three texts';
    return {
      definition: { model_name, output_type, cot_enabled, chain_poll_template: written },
      shown: { user_prompt: written.template, chain_poll_template: written },
    };
  },
};

const toContent = ({ instructions, output_type, cot_enabled, scoreable_node_types }: AutogenWish): string =>
  [
    `What is to be judged, in the words of the author:\n${instructions}`,
    `The judge looks at records of type: ${scoreable_node_types.join(', ') || 'trace'}.`,
    `Its verdict is ${VALUES[output_type]}.`,
    cot_enabled ? 'It reasons step by step before it decides.' : 'It gives its verdict with one sentence of explanation.',
  ].join('\n\n');

/** The object in an answer: the whole of it, or what stands between its first and last brace. */
function readWritten(text: string): z.output<typeof WrittenJudge> | undefined {
  const inner = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, inner]) {
    const written = WrittenJudge.safeParse(parsed(candidate));
    if (written.success) return written.data;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
