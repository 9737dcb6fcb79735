import { z } from 'zod';
import type { Program } from '../../core/scorers/scoring/code-sandbox.ts';
import { MESSAGE_CHARS } from './kernel.ts';

/**
 * Parent to child: what is run, serialised, then the records as they are. Records with the same `isolate` number run in the same isolate,
 * which lives for one call of `run`.
 */
export interface Request {
  readonly isolate: number;
  readonly program: Program;
}

const Message = z.string().max(MESSAGE_CHARS);
const Value = z.union([z.number(), z.boolean(), z.string()]);
const Labels = z.record(z.string(), z.boolean());
const Returned = z.strictObject({
  kind: z.literal('returned'),
  value: z.union([Value, z.array(Value), Labels]),
  explanation: z.string().max(MESSAGE_CHARS).optional(),
  printed: z.string().max(MESSAGE_CHARS).optional(),
});
const Threw = z.strictObject({ kind: z.literal('threw'), message: Message, printed: z.string().max(MESSAGE_CHARS).optional() });
const Refused = z.strictObject({ kind: z.literal('refused'), message: Message });

const Trouble = z.strictObject({
  kind: z.literal('trouble'),
  trouble: z.enum(['timed_out', 'out_of_memory', 'broken', 'lost']),
  at: z.enum(['load', 'call']),
});
export type Trouble = z.output<typeof Trouble>;

/**
 * Child to parent, as JSON. `scored` holds the outcomes of one or more records from the front of the request; `program`
 * is an outcome that no record had a part in; after `trouble`, and when it says `worn`, the process is not used again.
 */
export const Reply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), user: z.int().optional() }),
  z.strictObject({ kind: z.literal('scored'), outcomes: z.array(z.discriminatedUnion('kind', [Returned, Threw])).min(1) }),
  z.strictObject({ kind: z.literal('program'), outcome: z.discriminatedUnion('kind', [Threw, Refused]), worn: z.boolean() }),
  Trouble,
]);
export type Reply = z.output<typeof Reply>;
