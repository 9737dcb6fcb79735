import { z } from 'zod';
import type { Program } from '../../core/scorers/code-sandbox.ts';

/** What an operator or a test may turn. Defaults: `DEFAULT_SANDBOX_SETTINGS`. */
export interface SandboxSettings {
  /** Processes that run programs at the same time; one more is kept ready. */
  readonly children: number;
  /** Time of one record, and of loading the program, by the clock on the wall. */
  readonly run_ms: number;
  /** How long after `run_ms` a process that has not answered is killed. */
  readonly kill_grace_ms: number;
  /** Heap of an isolate; V8 treats it as a guideline. */
  readonly memory_mb: number;
  /** Resident memory above which a process is killed. */
  readonly rss_mb: number;
  /** Isolates that a process makes before a new process takes its place. */
  readonly jobs_per_child: number;
  readonly max_source_bytes: number;
  readonly max_record_chars: number;
  /** Records that go to a process at once, by count and by length. */
  readonly chunk_records: number;
  readonly chunk_chars: number;
}

/** What the child has to know of the settings; travels as an argument. */
export type ChildSettings = Pick<SandboxSettings, 'run_ms' | 'kill_grace_ms' | 'memory_mb' | 'rss_mb' | 'max_record_chars'>;

/** Parent to child. Records with the same `isolate` number run in the same isolate, which lives for one call of `run`. */
export interface Request {
  readonly isolate: number;
  readonly program: Program;
  readonly records: readonly string[];
}

const Message = z.string().max(2_000);
const Value = z.union([z.number(), z.boolean(), z.string()]);
const Returned = z.strictObject({ kind: z.literal('returned'), value: z.union([Value, z.array(Value)]) });
const Threw = z.strictObject({ kind: z.literal('threw'), message: Message });
const Refused = z.strictObject({ kind: z.literal('refused'), message: Message });

const Trouble = z.strictObject({
  kind: z.literal('trouble'),
  trouble: z.enum(['timed_out', 'out_of_memory', 'broken']),
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
