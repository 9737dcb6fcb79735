import {
  defineModelProvider,
  Endpoint,
  httpClient,
  MultiModalConfig,
  type OfferedModel,
  Token,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { AI_SDK_FEATURES, aiSdkCalls, CHAT_PARAMETERS } from '../ai-sdk.ts';
import { FILE_KINDS, fileKindsByName, readingFiles } from '../readable-files.ts';

const Settings = z.strictObject({
  token: Token.describe('What the gateway takes as a bearer token.'),
  endpoint: Endpoint.describe('Its base URL; `/chat/completions` and `/models` are asked under it.'),
  use_case: z
    .string()
    .max(1000)
    .refine((text) => text.isWellFormed(), 'has a lone surrogate')
    .describe('What the calls are for; sent as the header `x-use-case`, percent-encoded where it is not ASCII.'),
  structured_output: z
    .enum(['json_schema', 'json_object', 'none'])
    .default('json_schema')
    .describe('How it is asked for a structured answer.'),
  reads_files: z
    .array(z.enum(FILE_KINDS))
    .max(FILE_KINDS.length)
    .nullish()
    .describe('Kinds of files that its models read; known by the names of models where absent.'),
  multi_modal_config: MultiModalConfig,
});

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Any gateway that speaks the chat-completions protocol. */
export const gateway = defineModelProvider({
  id: 'gateway',
  sdk: 1,
  stability: 'stable',
  label: 'Gateway',
  summary: 'Any gateway that speaks the chat-completions protocol.',
  settings: Settings,
  create: (host, { token, endpoint, use_case, structured_output, reads_files, multi_modal_config }) => {
    const far = httpClient(host, 'gateway');
    const base = endpoint.replace(/\/$/, '');
    const headers = { authorization: `Bearer ${token}`, 'x-use-case': headerValue(use_case) };
    const models = async (signal: AbortSignal): Promise<OfferedModel[]> => {
      const { data } = await far.json(ModelList, `${base}/models`, { headers, signal });
      return data.map(({ id }) => ({
        name: id,
        for_scorers: true,
        ...readingFiles(reads_files ?? fileKindsByName(id), multi_modal_config),
      }));
    };
    const supportsStructuredOutputs = structured_output === 'json_schema';
    return {
      ...aiSdkCalls(
        'gateway',
        far,
        async (request, fetch) => {
          const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
          const settings = { name: 'gateway', baseURL: base, headers, supportsStructuredOutputs, includeUsage: true, fetch };
          return createOpenAICompatible(settings).chatModel(request.model);
        },
        { structured: structured_output !== 'none', schemas: supportsStructuredOutputs, cost: true },
      ),
      supports: [...(structured_output === 'none' ? (['tools'] as const) : AI_SDK_FEATURES), ...CHAT_PARAMETERS],
      models,
      check: async (signal) => void (await models(signal)),
    };
  },
});

/** Headers carry ASCII alone: anything else goes as UTF-8, percent-encoded (RFC 3986), and so does the sign itself. */
const headerValue = (text: string): string => text.trim().replaceAll(/[^\x20-\x24\x26-\x7e]+/g, encodeURIComponent);
