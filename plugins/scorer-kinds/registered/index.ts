import { type CodeOutcome, defineScorerKind, type ScoreOutcome, z } from '../../../core/plugin-sdk/index.ts';

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
      const records = items.map(({ record }) => record);
      const outcomes = await kit.runCode(program, records);
      return outcomes.map(verdictOf);
    },
  }),
});

function verdictOf(outcome: CodeOutcome): ScoreOutcome {
  return outcome.kind === 'returned'
    ? { status: 'success', value: outcome.value }
    : { status: 'failed', message: outcome.message };
}
