import { z } from '../core/plugin-sdk/index.ts';

const scalar = z.union([z.number(), z.boolean(), z.string()]);
/** Values that can be stored: finite numbers, booleans, strings, flat lists of these, and a boolean for each label. */
const Value = z.union([scalar, z.array(scalar), z.record(z.string(), z.boolean())]);
const count = z.number().min(0);
const Vote = z.strictObject({ value: Value, explanation: z.string().optional() });
const Effort = z.strictObject({
  model: z.string().optional(),
  num_judges: count.optional(),
  votes: z.array(Vote).optional(),
  agreement: z.number().min(0).max(1).optional(),
  input_tokens: count.optional(),
  output_tokens: count.optional(),
  cost: count.nullish(),
  cached: z.boolean().optional(),
  truncated: z.boolean().optional(),
  latency_ms: count.optional(),
});
const Outcome = z.union([
  z.strictObject({
    status: z.literal('success'),
    value: Value,
    explanation: z.string().optional(),
    effort: Effort.optional(),
  }),
  z.strictObject({
    status: z.enum(['failed', 'not_applicable']),
    message: z.string().regex(/\S/, 'is empty'),
    effort: Effort.optional(),
  }),
]);

/** Why this is no outcome of a record; undefined when it is one. */
export function outcomeFlaw(outcome: unknown): string | undefined {
  const { error } = Outcome.safeParse(outcome);
  if (error) return z.prettifyError(error);
  return holdsOthers(outcome) ? 'holds an object with a prototype of its own' : undefined;
}

function holdsOthers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return !isPlain || Object.values(value).some(holdsOthers);
}
