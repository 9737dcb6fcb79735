import {
  type CodeInput,
  type CodeOutcome,
  defineScorerKind,
  type ScoreItem,
  type ScoreOutcome,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { Definition } from './definition.ts';
import { CODE_PRESETS } from './presets/presets.ts';
import { programIn } from './source.ts';
import { getSurroundings, toTrajectory } from './trajectory.ts';
import { view } from './view.ts';

/** Beside the file. */
const UploadFields = z.object({
  language: z.string().max(100).optional().describe('The id of a code language, where the name of the file does not tell it.'),
});

/** Runs a program that its author uploaded, in the sandbox. */
export const registered = defineScorerKind({
  id: 'registered',
  sdk: 1,
  stability: 'stable',
  label: 'Code',
  summary: 'Runs a program over each record, in any code language that is installed.',
  aliases: ['code'],
  former_paths: ['code'],
  model_type: 'code',
  definition: Definition,
  view,
  presets: CODE_PRESETS,
  upload: { fields: UploadFields, read: programIn, text: ({ source }) => source },
  refusal: (kit, { language, source }) => kit.checkCode({ language, source }),
  surroundings: ({ source }) => getSurroundings(source),
  create: (kit, program) => ({
    async score({ items, signal }) {
      signal.throwIfAborted();
      const outcomes = await kit.runCode(program, items.map(toInput));
      return outcomes.map(toVerdict);
    },
  }),
});

/** Input of the program besides the record: only the surroundings that it asks for. */
function toInput(item: ScoreItem): CodeInput {
  const { record, required, ground_truth } = item;
  const trajectory = toTrajectory(item);
  if (required === undefined && ground_truth === undefined && trajectory === undefined) return record;
  const context = { required: required ?? {}, ground_truth: ground_truth ?? null, ...trajectory };
  return { record, context: JSON.stringify(context) };
}

function toVerdict(outcome: CodeOutcome): ScoreOutcome {
  if (outcome.kind !== 'returned' && outcome.kind !== 'threw') return { status: 'failed', message: outcome.message };
  const printed = outcome.printed ? { printed: outcome.printed } : {};
  if (outcome.kind === 'threw') return { status: 'failed', message: outcome.message, ...printed };
  const explanation = outcome.explanation ? { explanation: outcome.explanation } : {};
  return { status: 'success', value: outcome.value, ...explanation, ...printed };
}
