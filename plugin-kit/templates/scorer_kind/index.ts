import { defineScorerKind, readJson, z } from '../../../core/plugin-sdk/index.ts';

const Definition = z.strictObject({ max_words: z.int().min(1) });
const Answered = z.object({ output: z.string() });

export const sampleKind = defineScorerKind({
  id: 'sample_kind',
  sdk: 1,
  stability: 'experimental',
  label: 'Sample kind',
  summary: 'Says whether the output has few enough words.',
  definition: Definition,
  create: (_kit, { max_words }) => ({
    async score({ items, signal }) {
      signal.throwIfAborted();
      return items.map(({ record }) => {
        const answered = readJson(Answered, record);
        if (!answered) return { status: 'failed', message: 'the output is not a string' };
        const words = answered.output.split(/\s+/).filter((word) => word !== '').length;
        return { status: 'success', value: words <= max_words };
      });
    },
  }),
});
