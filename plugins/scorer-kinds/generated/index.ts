import { defineScorerKind } from '../../../core/plugin-sdk/index.ts';
import { surroundingsOf } from '../material.ts';
import { sightsOf } from '../seen-record.ts';
import { variablesOf } from '../template.ts';
import { Definition } from './definition.ts';
import { judgeRecord } from './panel.ts';
import { templateOf } from './question.ts';

/** Asks one or several language models for a verdict on each record. */
export const generated = defineScorerKind({
  id: 'generated',
  sdk: 1,
  stability: 'stable',
  summary: 'Asks one or several language models for a verdict on each record.',
  definition: Definition,
  surroundings: (definition) => surroundingsOf(definition.input_type, variablesOf(templateOf(definition))),
  create: (kit, definition) => ({
    async score({ items, signal }) {
      const model = await kit.model(definition.model_name);
      const session = { definition, model, clock: kit.clock, signal };
      return Promise.all(sightsOf(items).map((sight) => judgeRecord(session, sight)));
    },
  }),
});
