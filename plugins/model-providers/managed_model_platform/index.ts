import {
  defineModelProvider,
  httpClient,
  MultiModalConfig,
  type OfferedModel,
  PluginError,
  z,
} from '../../../core/plugin-sdk/index.ts';
import { AI_SDK_FEATURES, CHAT_PARAMETERS, generate } from '../ai-sdk.ts';
import { awsAddress, awsFields, awsKeys, signed, tokenFitsType } from '../aws.ts';
import { readingFiles } from '../readable-files.ts';
import { chatBody, Model, mappedBody, mappedReply, requirePlain, withoutSystem } from './model.ts';

const Settings = z
  .strictObject({
    ...awsFields,
    models: z
      .array(Model)
      .max(1000)
      .default([])
      .describe('What endpoints take and answer, where that is not the chat-completions protocol.'),
    multi_modal_config: MultiModalConfig,
  })
  .superRefine(tokenFitsType);

const EndpointList = z.object({ Endpoints: z.array(z.object({ EndpointName: z.string() })) });
/** Offers a model. The settings decide which input it reads; a container with fields of its own is sent one text. */
const offeredAs = (
  { name, alias, input_modalities, output_map }: z.output<typeof Model>,
  { multi_modal_config }: z.output<typeof Settings>,
): OfferedModel => ({
  name,
  alias,
  for_scorers: true,
  ...(input_modalities && { input_modalities }),
  ...readingFiles(output_map ? [] : (input_modalities ?? []), multi_modal_config),
});

const JSON_TYPE = { 'content-type': 'application/json' };

/** Amazon SageMaker: the body belongs to the container behind an endpoint. */
export const managedModelPlatform = defineModelProvider({
  id: 'managed_model_platform',
  sdk: 1,
  stability: 'stable',
  label: 'Managed model platform',
  summary: 'Endpoints of Amazon SageMaker.',
  settings: Settings,
  create: (host, settings) => {
    const { region, models } = settings;
    const far = httpClient(host, 'managed_model_platform');
    const keysFor = awsKeys(host, far, settings);
    const post = async (url: string, body: string, headers: Record<string, string>, signal: AbortSignal) =>
      signed({ service: 'sagemaker', region, keys: await keysFor(signal), url, headers, body, signal });
    const endpoints = async (signal: AbortSignal) => {
      const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'SageMaker.ListEndpoints' };
      const url = `${awsAddress('api.sagemaker', region)}/`;
      const init = await post(url, JSON.stringify({ StatusEquals: 'InService', MaxResults: 100 }), headers, signal);
      const { Endpoints } = await far.json(EndpointList, url, init);
      return Endpoints.map(({ EndpointName }) => ({ name: EndpointName, for_scorers: true }));
    };
    return {
      supports: [...AI_SDK_FEATURES, ...CHAT_PARAMETERS],
      async complete(request) {
        const model = models.find((one) => [one.alias, one.name, ...one.alternative_names].includes(request.model));
        const endpoint = model?.name ?? request.model;
        if (!/^[a-z0-9-]{1,63}$/i.test(endpoint))
          throw new PluginError('unsupported', 'managed_model_platform: the model is not the name of an endpoint');
        const url = `${awsAddress('runtime.sagemaker', region)}/endpoints/${endpoint}/invocations`;
        if (model?.output_map) {
          requirePlain(request);
          const init = await post(url, JSON.stringify(mappedBody(model, request)), JSON_TYPE, request.signal);
          return mappedReply(model.output_map, await far.json(z.json(), url, init), request);
        }
        const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
        const provider = createOpenAICompatible({
          name: 'managed_model_platform',
          baseURL: url,
          supportsStructuredOutputs: true,
          fetch: async (_path, init) => far.fetch(url, await post(url, String(init?.body), JSON_TYPE, request.signal)),
          ...(model && { transformRequestBody: (body) => chatBody(model, body) }),
        });
        // Few containers know of schemas: the prompt says what is wanted.
        const fit = model && !model.system_supported ? withoutSystem(request) : request;
        return generate('managed_model_platform', provider.chatModel(endpoint), fit, { structured: false });
      },
      models: async (signal) => (models.length > 0 ? models.map((one) => offeredAs(one, settings)) : endpoints(signal)),
      check: async (signal) => void (await endpoints(signal)),
    };
  },
});
