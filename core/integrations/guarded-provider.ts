import { isPassing, stackOf } from '../kernel/failure.ts';
import type { Log } from '../kernel/ports.ts';
import {
  type Completion,
  MAX_REPLY_BYTES,
  type ModelProvider,
  type OfferedModel,
  PLUGIN_FAILURES,
  PluginError,
  type PluginFailure,
  z,
} from '../plugin-sdk/index.ts';

const MAX_MESSAGE_CHARS = 1_000;
const MAX_MODELS = 10_000;

/** A count that is not known may be null, as in what vendors send. */
const Count = z
  .int()
  .min(0)
  .nullish()
  .transform((count) => count ?? undefined);

const Answer = z.object({
  text: z.string().max(MAX_REPLY_BYTES),
  value: z.unknown().optional(),
  usage: z.object({
    input_tokens: Count,
    cached_tokens: Count,
    cache_write_tokens: Count,
    output_tokens: Count,
    reasoning_tokens: Count,
  }),
  finish_reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter', 'error', 'other']),
  model: z.string().max(1_000),
  cost: z
    .number()
    .min(0)
    .nullish()
    .transform((cost) => cost ?? undefined),
});

const Offered = z
  .array(
    z.object({
      name: z.string().min(1).max(1_000),
      alias: z.string().min(1).max(1_000).nullish(),
      for_scorers: z.boolean(),
      input_modalities: z.array(z.string().max(100)).max(20).nullish(),
    }),
  )
  .max(MAX_MODELS);

export interface Guard {
  readonly log: Log;
  /** For log lines. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Takes the integration's secrets out of a text. */
  redact(text: string): string;
}

/**
 * A provider of a plugin, behind the boundary between it and the service: what it returns has been read by a schema, and all that it
 * throws is a PluginError (or the reason of the signal) without a secret of the integration. A defect of the plugin, or a reply of
 * another shape, is logged and becomes `bad_reply`.
 */
export function guarded(provider: ModelProvider, guard: Guard): ModelProvider {
  return {
    async complete(request) {
      const given = await callPlugin(guard, request.signal, () => provider.complete(request));
      return completionIn(readGiven(guard, 'a completion', Answer, given), guard);
    },
    async models(signal) {
      const given = await callPlugin(guard, signal, () => provider.models(signal));
      return readGiven(guard, 'a list of models', Offered, given).map(withoutNulls) as OfferedModel[];
    },
    async check(signal) {
      await callPlugin(guard, signal, () => provider.check(signal));
    },
  };
}

/** What a plugin threw, as the service may log, store and return it. Logs it when it is a defect. */
export function pluginFailure(error: unknown, { log, facts, redact }: Guard): PluginError {
  if (error instanceof PluginError) return trusted(error, redact);
  const stack = redact(stackOf(error));
  if (isPassing(error)) {
    log.warn('a plugin let an error of the network pass', { ...facts, error: stack });
    return new PluginError('unavailable', 'the provider could not be reached, or did not answer in time');
  }
  log.error('a plugin failed', { ...facts, error: stack });
  return new PluginError(
    'bad_reply',
    `the plugin failed (${error instanceof Error ? redact(error.name).slice(0, 100) : typeof error})`,
  );
}

/** What a call of a plugin gives, not read yet. Rejects with the reason of the signal, or with a PluginError. */
export async function callPlugin<T>(guard: Guard, signal: AbortSignal, call: () => Promise<T>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    signal.throwIfAborted();
    throw pluginFailure(error, guard);
  }
}

/** Made anew: neither fields of other types nor a cause go further. */
function trusted({ failure, message, status, retry_after_seconds }: PluginError, redact: Guard['redact']): PluginError {
  const known: PluginFailure = PLUGIN_FAILURES.includes(failure) ? failure : 'bad_reply';
  return new PluginError(known, redact(String(message)).slice(0, MAX_MESSAGE_CHARS), {
    ...(Number.isInteger(status) && { status: status! }),
    ...(Number.isFinite(retry_after_seconds) && { retry_after_seconds: Math.max(0, retry_after_seconds!) }),
  });
}

/** What a plugin gave, read by a schema. Throws a PluginError `bad_reply` where it does not fit. */
export function readGiven<S extends z.ZodType>(
  { log, facts, redact }: Guard,
  what: string,
  schema: S,
  given: unknown,
): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const flaws = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  log.error('a plugin gave what it should not', { ...facts, what, flaws: redact(flaws).slice(0, MAX_MESSAGE_CHARS) });
  throw new PluginError('bad_reply', `the plugin gave ${what} of an unknown shape`);
}

function completionIn({ value, ...answer }: z.output<typeof Answer>, { log, facts }: Guard): Completion {
  const usage = withoutNulls(answer.usage);
  try {
    const plain: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
    return { ...withoutNulls({ ...answer, usage }), ...(plain !== undefined && { value: plain }) } as Completion;
  } catch {
    log.error('a plugin gave what it should not', { ...facts, what: 'a value that is no JSON' });
    throw new PluginError('bad_reply', 'the plugin gave a value that is no JSON');
  }
}

const withoutNulls = <T extends object>(given: T): object =>
  Object.fromEntries(Object.entries(given).filter(([, field]) => field !== undefined && field !== null));
