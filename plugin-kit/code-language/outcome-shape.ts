import assert from 'node:assert/strict';
import { z } from '../../core/plugin-sdk/index.ts';
import { LANGUAGE_LIMITS } from './language-stage.ts';

const { value_chars, list_items, message_chars } = LANGUAGE_LIMITS;
const scalar = z.union([z.number(), z.boolean(), z.string().max(value_chars)]);
const Value = z.union([scalar, z.array(scalar).max(list_items), z.record(z.string(), z.boolean())]);
const Outcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('returned'), value: Value }),
  z.strictObject({
    kind: z.enum(['threw', 'timed_out', 'out_of_memory', 'refused']),
    message: z.string().regex(/\S/, 'is empty').max(message_chars),
  }),
]);

/** Fails unless each is an outcome that can be stored, within the limits. */
export function demandOutcomes(outcomes: readonly unknown[]): void {
  for (const [index, outcome] of outcomes.entries()) {
    const { error } = Outcome.safeParse(outcome);
    if (error) assert.fail(`outcome ${index}: ${z.prettifyError(error)}`);
  }
}
