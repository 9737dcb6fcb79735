import { withDeadline } from '../../kernel/deadline.ts';
import { isDefect, stackOf } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/ports.ts';
import { PluginError, type ScoreOutcome, type ScoreRequest, type Scorer, z } from '../../plugin-sdk/index.ts';
import { calibratedOutcome } from '../calibration/calibrated-outcome.ts';
import type { VersionCalibration } from '../calibration/score-mapping.ts';
import { typedOutcome } from './typed-value.ts';

const MAX_TEXT_CHARS = 100_000;
const MAX_MESSAGE_CHARS = 2_000;
const printed = z
  .string()
  .transform((given) => given.slice(0, MAX_MESSAGE_CHARS))
  .optional();

const Tokens = z.int().min(0);
const Money = z.number().min(0);
const Weight = z.number().positive();
const text = z.string().transform((given) => given.slice(0, MAX_TEXT_CHARS));
const message = z.string().transform((given) => given.slice(0, MAX_MESSAGE_CHARS));
const Scalar = z.union([z.number(), z.boolean(), z.string()]);
const Value = z.union([Scalar, z.array(Scalar), z.record(z.string(), z.boolean())]);

const Effort = z.object({
  model: z.string().optional(),
  num_judges: Tokens.optional(),
  votes: z
    .array(z.object({ value: Value, explanation: text.optional(), model: text.optional(), weight: Weight.optional() }))
    .optional(),
  missing_votes: z.array(z.object({ model: text, weight: Weight, message })).optional(),
  agreement: z.number().min(0).max(1).optional(),
  input_tokens: Tokens.optional(),
  output_tokens: Tokens.optional(),
  cost: Money.nullish(),
  cached: z.boolean().optional(),
  truncated: z.boolean().optional(),
  latency_ms: Money.optional(),
});

const Outcome = z.discriminatedUnion('status', [
  // The value is looked at by the scorer's output type; without one it may be anything that is JSON.
  z.object({
    status: z.literal('success'),
    value: z.unknown(),
    explanation: text.optional(),
    effort: Effort.optional(),
    printed,
  }),
  z.object({
    status: z.enum(['failed', 'not_applicable']),
    message,
    effort: Effort.optional(),
    printed,
  }),
]);

export interface AskedOf {
  readonly output_type: string | null;
  /** Applied to what is a value of that type. */
  readonly calibration?: VersionCalibration | null;
  readonly log: Log;
  /** For log lines. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const ODD: ScoreOutcome = { status: 'failed', message: 'the plugin of the scorer gave a result of an unknown shape' };

/**
 * The one place where outcomes of plugins come in: each is checked by a schema and held to the scorer's output type. Rejects with a
 * PluginError `bad_reply` when the plugin gives no list or fails by a defect of its own; with what it throws otherwise, and with the
 * signal's reason once that is aborted, whether the plugin heeds it or not.
 */
export async function askScorer(
  running: () => Scorer,
  request: ScoreRequest,
  { output_type, calibration, log, facts }: AskedOf,
): Promise<ScoreOutcome[]> {
  const given: unknown = await withDeadline({ signal: request.signal }, () => running().score(request)).catch(
    (error: unknown) => {
      request.signal.throwIfAborted();
      if (error instanceof PluginError || !isDefect(error)) throw error;
      log.error('the plugin of a scorer failed', { ...facts, error: stackOf(error) });
      throw new PluginError('bad_reply', `the plugin of the scorer failed (${error.name})`);
    },
  );
  if (!Array.isArray(given)) {
    log.error('the plugin of a scorer gave no list of outcomes', { ...facts, given: typeof given });
    throw new PluginError('bad_reply', 'the plugin of the scorer gave no list of outcomes');
  }
  const read = given.slice(0, request.items.length).map((one) => Outcome.safeParse(plain(one)));
  const flaw = read.find(({ success }) => !success)?.error;
  if (flaw) log.error('the plugin of a scorer gave a result of an unknown shape', { ...facts, flaw: flawOf(flaw) });
  return read.map(({ data }) => {
    const outcome = data ? typedOutcome(data as ScoreOutcome, output_type) : ODD;
    return calibration ? calibratedOutcome(outcome, calibration.mapping) : outcome;
  });
}

/**
 * Copies a value as it would be stored: undefined for one that is no JSON. The copy is plain data, whatever getters it
 * had. Plain data besides, whatever getters it had.
 */
function plain(given: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(given));
  } catch {
    return undefined;
  }
}

const flawOf = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ')
    .slice(0, 500);
