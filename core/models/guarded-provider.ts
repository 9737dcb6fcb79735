import { callPlugin, type Guard, pluginFailure, readGiven } from '../integrations/plugin-guard.ts';
import {
  type Completion,
  type CompletionPart,
  type CompletionRequest,
  MAX_REPLY_BYTES,
  MODEL_PARAMETERS,
  type ModelProvider,
  type OfferedModel,
  OPTIONAL_PARAMETERS,
  PluginError,
  z,
} from '../plugin-sdk/index.ts';

const MAX_MODELS = 10_000;
const FEATURES = ['tools', 'response_format', ...OPTIONAL_PARAMETERS] as const;

/** A count that is not known may be null, as in what vendors send. */
const Count = z
  .int()
  .min(0)
  .nullish()
  .transform((count) => count ?? undefined);

const CalledTool = z.object({
  id: z.string().max(1_000),
  name: z.string().max(1_000),
  arguments: z.string().max(MAX_REPLY_BYTES),
});

const Answer = z.object({
  text: z.string().max(MAX_REPLY_BYTES),
  value: z.unknown().optional(),
  tool_calls: z.array(CalledTool).max(1_000).nullish(),
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
  left_out: z.array(z.enum(MODEL_PARAMETERS)).max(MODEL_PARAMETERS.length).nullish(),
});

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().max(MAX_REPLY_BYTES) }),
  z.object({ type: z.literal('end'), completion: Answer }),
]);

const Offered = z
  .array(
    z.object({
      name: z.string().min(1).max(1_000),
      alias: z.string().min(1).max(1_000).nullish(),
      for_scorers: z.boolean(),
      input_modalities: z.array(z.string().max(100)).max(20).nullish(),
      files: z
        .object({ media_types: z.array(z.string().max(100)).min(1).max(100), max_files: Count, max_file_bytes: Count })
        .nullish(),
    }),
  )
  .max(MAX_MODELS);

/**
 * A provider of a plugin, behind the boundary between it and the service: what it returns has been read by a schema, and all that it
 * throws is a PluginError (or the reason of the signal) without a secret of the integration. A defect of the plugin, or a reply of
 * another shape, is logged and becomes `bad_reply`.
 */
export function guarded(provider: ModelProvider, guard: Guard): ModelProvider {
  return {
    ...(provider.stream && { stream: (request: CompletionRequest) => readParts(provider, request, guard) }),
    supports: FEATURES.filter((one) => provider.supports?.includes(one)),
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

/** The parts of a stream, each read as a whole reply is; ends with the completion, or rejects. */
async function* readParts(
  provider: ModelProvider,
  request: CompletionRequest,
  guard: Guard,
): AsyncGenerator<CompletionPart, void> {
  let length = 0;
  try {
    for await (const given of provider.stream!(request)) {
      const part = readGiven(guard, 'a part of a completion', Part, given);
      if (part.type === 'end') {
        yield { type: 'end', completion: completionIn(part.completion, guard) };
        return;
      }
      length += part.text.length;
      if (length > MAX_REPLY_BYTES) throw new PluginError('bad_reply', `the answer is longer than ${MAX_REPLY_BYTES} characters`);
      if (part.text !== '') yield part;
    }
  } catch (error) {
    request.signal.throwIfAborted();
    throw pluginFailure(error, guard);
  }
  throw new PluginError('bad_reply', 'the answer broke off before its end');
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
