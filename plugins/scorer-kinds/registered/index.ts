import {
  type CodeInput,
  type CodeOutcome,
  defineScorerKind,
  type ScoreItem,
  type ScoreOutcome,
} from '../../../core/plugin-sdk/index.ts';
import { Definition } from './definition.ts';
import { CODE_PRESETS } from './presets/presets.ts';
import { programIn, toRefusal } from './source.ts';
import { view } from './view.ts';

/** A record that every program has to survive without the sandbox refusing it. */
const PROBE = JSON.stringify({
  type: 'trace',
  id: '',
  name: '',
  input: '',
  output: '',
  tags: [],
  metrics: {},
  user_metadata: {},
});

/** Runs a program that its author uploaded, in the sandbox. */
export const registered = defineScorerKind({
  id: 'registered',
  sdk: 1,
  stability: 'stable',
  label: 'Code',
  summary: 'Runs a JavaScript or TypeScript function over each record.',
  aliases: ['code'],
  former_paths: ['code'],
  model_type: 'code',
  definition: Definition,
  view,
  presets: CODE_PRESETS,
  upload: { read: programIn, text: ({ source }) => source },
  async refusal(kit, program) {
    const [outcome] = await kit.runCode(program, [PROBE]);
    return outcome?.kind === 'refused' ? toRefusal(program.source, outcome.message) : undefined;
  },
  create: (kit, program) => ({
    async score({ items, signal }) {
      signal.throwIfAborted();
      const outcomes = await kit.runCode(program, items.map(toInput));
      return outcomes.map((outcome) => toVerdict(program, outcome));
    },
  }),
});

/** What the program is told besides the record: what it asked for, and nothing where it asked for nothing. */
function toInput({ record, required, ground_truth }: ScoreItem): CodeInput {
  if (required === undefined && ground_truth === undefined) return record;
  return { record, context: JSON.stringify({ required: required ?? {}, ground_truth: ground_truth ?? null }) };
}

function toVerdict({ source }: Definition, outcome: CodeOutcome): ScoreOutcome {
  if (outcome.kind === 'returned') return { status: 'success', value: outcome.value };
  return { status: 'failed', message: outcome.kind === 'refused' ? toRefusal(source, outcome.message) : outcome.message };
}
