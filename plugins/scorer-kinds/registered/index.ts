import {
  type CodeInput,
  type CodeOutcome,
  defineScorerKind,
  type ScoreItem,
  type ScoreOutcome,
  z,
} from '../../../core/plugin-sdk/index.ts';

const Definition = z.object({
  language: z.enum(['javascript', 'typescript']),
  source: z.string().min(1),
});

/** Runs a program that its author uploaded, in the sandbox. */
export const registered = defineScorerKind({
  id: 'registered',
  sdk: 1,
  stability: 'stable',
  summary: 'Runs a JavaScript or TypeScript function over each record.',
  definition: Definition,
  create: (kit, program) => ({
    async score({ items }) {
      const outcomes = await kit.runCode(program, items.map(toInput));
      return outcomes.map(toVerdict);
    },
  }),
});

/** What the program is told besides the record: what it asked for, and nothing where it asked for nothing. */
function toInput({ record, required, ground_truth }: ScoreItem): CodeInput {
  if (required === undefined && ground_truth === undefined) return record;
  return { record, context: JSON.stringify({ required: required ?? {}, ground_truth: ground_truth ?? null }) };
}

function toVerdict(outcome: CodeOutcome): ScoreOutcome {
  return outcome.kind === 'returned'
    ? { status: 'success', value: outcome.value }
    : { status: 'failed', message: outcome.message };
}
