import { defineScorerKind, RUN_SETTINGS } from '../../../core/plugin-sdk/index.ts';
import { getSurroundings } from '../material.ts';
import { toSights } from '../seen-record.ts';
import { getVariables } from '../template.ts';
import { audit } from './audit.ts';
import { autogen } from './autogen.ts';
import { completed } from './completed.ts';
import { Definition } from './definition.ts';
import { judgeRecord } from './jury.ts';
import { openPanel } from './panel.ts';
import { PRESETS } from './presets/presets.ts';
import { getQuestionTemplate } from './question.ts';
import { trial } from './trial.ts';
import { view } from './view.ts';

/** Asks one or several language models for a verdict on each record. */
export const generated = defineScorerKind({
  id: 'generated',
  sdk: 1,
  stability: 'stable',
  label: 'Judge',
  summary: 'Asks one or several language models for a verdict on each record.',
  aliases: ['llm'],
  former_paths: ['llm'],
  model_type: 'llm',
  definition: Definition,
  view,
  autogen,
  audit,
  presets: PRESETS,
  trial,
  run_settings: RUN_SETTINGS,
  complete: completed,
  surroundings: (definition) => getSurroundings(definition.input_type, getVariables(getQuestionTemplate(definition))),
  create: (kit, definition) => ({
    async score({ items, signal }) {
      const session = { definition, panel: await openPanel(kit, definition), kit, signal };
      return Promise.all(toSights(items).map((sight, item) => judgeRecord({ ...session, item }, sight)));
    },
  }),
});
