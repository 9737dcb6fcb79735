import type { Definition } from './definition.ts';
import { compileCheck, type Schema, strictForm } from './own-schema.ts';
import { valueSchema } from './value-schema.ts';
import type { VerdictForm } from './verdict-form.ts';

/** How an answer is called for: the names of its fields, and its JSON Schema. */
export interface AnswerForm {
  readonly value_field: string;
  /** Absent when no explanation is wanted. */
  readonly explanation_field?: string;
  /** Types and enums only: what strict modes of all providers take. */
  readonly schema: Schema;
  /** Whether an answer matches an author's own schema in full; absent without one. */
  readonly check?: (answer: unknown) => boolean;
}

export function answerForm({ chain_poll_template: template, cot_enabled }: Definition, form: VerdictForm): AnswerForm {
  const value_field = template?.value_field_name ?? 'rating';
  const explanation_field = template?.explanation_field_name ?? 'explanation';
  const own = template?.response_schema;
  if (own) return { value_field, explanation_field, schema: strictForm(own), check: compileCheck(own) };
  // The explanation stands first, so that a model reasons before it decides.
  const properties = { ...(cot_enabled && { [explanation_field]: { type: 'string' } }), [value_field]: valueSchema(form) };
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { value_field, ...(cot_enabled && { explanation_field }), schema };
}
