import type { ScorerAudit } from '../../../core/plugin-sdk/index.ts';
import type { Definition } from './definition.ts';
import { verdictForm } from './verdict-form.ts';

const LABELLED = ['categorical', 'multilabel', 'boolean_multilabel'];

/** Verdicts of judges, as far as their definition limits them. */
export const audit: ScorerAudit<typeof Definition> = {
  labels: (definition) => (LABELLED.includes(definition.output_type) ? verdictForm(definition, undefined).labels : undefined),
  withLabels: (definition, labels) => ({ ...definition, labels: [...labels] }),
  range: (definition) => (definition.output_type === 'discrete' ? verdictForm(definition, undefined).range : undefined),
};
