import { defineModelProvider, httpClient, MultiModalConfig, z } from '../../../core/plugin-sdk/index.ts';
import { aiSdkCalls } from '../ai-sdk.ts';
import { awsAddress, awsFields, awsKeys, signed, tokenFitsType } from '../aws.ts';
import { readingFiles } from '../readable-files.ts';
import { prices } from './prices.ts';

const Settings = z
  .strictObject({
    ...awsFields,
    inference_profiles: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe('From the id of a model to the inference profile, by ARN or id, that is asked instead.'),
    multi_modal_config: MultiModalConfig,
  })
  .superRefine(tokenFitsType);

const ModelList = z.object({
  modelSummaries: z.array(
    z.object({
      modelId: z.string(),
      modelName: z.string().optional(),
      inferenceTypesSupported: z.array(z.string()).default([]),
      inputModalities: z.array(z.string()).default(['TEXT']),
    }),
  ),
});

/** Where the names of modalities are not our own in capitals. */
const MODALITIES = new Map([['SPEECH', 'audio']]);

/** Amazon Bedrock by its Converse interface, with keys of a user's or a role that trusts the service. */
export const cloudModelHosting = defineModelProvider({
  id: 'cloud_model_hosting',
  sdk: 1,
  stability: 'stable',
  label: 'Cloud model hosting',
  summary: 'Models hosted by Amazon Bedrock.',
  settings: Settings,
  prices,
  create: (host, settings) => {
    const { region } = settings;
    const far = httpClient(host, 'cloud_model_hosting');
    const keysFor = awsKeys(host, far, settings);
    const profiles = new Map(Object.entries(settings.inference_profiles));
    const models = async (signal: AbortSignal) => {
      const url = `${awsAddress('bedrock', region)}/foundation-models?byOutputModality=TEXT`;
      const keys = await keysFor(signal);
      const { modelSummaries } = await far.json(
        ModelList,
        url,
        await signed({ service: 'bedrock', region, keys, url, method: 'GET', signal }),
      );
      // Many models respond only through an inference profile.
      const callable = modelSummaries.filter(
        (one) => one.inferenceTypesSupported.includes('ON_DEMAND') && !profiles.has(one.modelId),
      );
      const known = new Map(modelSummaries.map((one) => [one.modelId, one.inputModalities]));
      const listed = callable.map(({ modelId, modelName }) => ({ name: modelId, ...(modelName && { alias: modelName }) }));
      return [...[...profiles.keys()].map((name) => ({ name })), ...listed].map((one) => {
        const given = known.get(one.name) ?? ['TEXT'];
        const input_modalities = given.map((modality) => MODALITIES.get(modality) ?? modality.toLowerCase());
        // Of what the Converse interface takes, the list says of pictures alone which models read them.
        const kinds = input_modalities.filter((modality) => modality === 'image');
        return { ...one, for_scorers: true, input_modalities, ...readingFiles(kinds, settings.multi_modal_config) };
      });
    };
    return {
      ...aiSdkCalls(
        'cloud_model_hosting',
        far,
        async (request, fetch) => {
          const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
          const { accessKeyId, secretAccessKey, sessionToken } = await keysFor(request.signal);
          const provider = createAmazonBedrock({
            region,
            baseURL: awsAddress('bedrock-runtime', region),
            accessKeyId,
            secretAccessKey,
            ...(sessionToken && { sessionToken }),
            // Blank, or the adapter would take an API key from the environment.
            apiKey: ' ',
            fetch,
          });
          return provider(profiles.get(request.model) ?? request.model);
        },
        { parameters: ['top_k', 'reasoning_effort'] },
      ),
      models,
      check: async (signal) => void (await models(signal)),
    };
  },
});
