import { isPassing, stackOf } from '../kernel/failure.ts';
import type { Log } from '../kernel/ports.ts';
import { MODEL_PARAMETERS, PLUGIN_FAILURES, PluginError, type PluginFailure, type z } from '../plugin-sdk/index.ts';

const MAX_MESSAGE_CHARS = 1_000;

/** The boundary between a plugin and the service, for one that is made with secrets. */
export interface Guard {
  readonly log: Log;
  /** For log lines. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Takes the integration's secrets out of a text. */
  redact(text: string): string;
}

/** Converts an error of a plugin to one that the service may log, store and return. Logs it when it is a defect. */
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

/** Calls a plugin and returns its result, not read yet. Rejects with the reason of the signal, or with a PluginError. */
export async function callPlugin<T>(guard: Guard, signal: AbortSignal, call: () => Promise<T>): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    signal.throwIfAborted();
    throw pluginFailure(error, guard);
  }
}

/** Made anew: neither fields of other types nor a cause go further. */
function trusted({ failure, message, status, ...more }: PluginError, redact: Guard['redact']): PluginError {
  const { retry_after_seconds } = more;
  const parameter = MODEL_PARAMETERS.find((one) => one === more.parameter);
  const known: PluginFailure = PLUGIN_FAILURES.includes(failure) ? failure : 'bad_reply';
  return new PluginError(known, redact(String(message)).slice(0, MAX_MESSAGE_CHARS), {
    ...(Number.isInteger(status) && { status: status! }),
    ...(Number.isFinite(retry_after_seconds) && { retry_after_seconds: Math.max(0, retry_after_seconds!) }),
    ...(parameter && { parameter }),
  });
}

/** Reads a plugin's result by a schema. Throws a PluginError `bad_reply` where it does not fit. */
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
