import { z } from 'zod';
import { asWord } from '../kernel/vocabulary.ts';

export const MultimodalCapability = z.enum(['vision', 'audio']);
export type MultimodalCapability = z.output<typeof MultimodalCapability>;

/** Models that a user has through one provider. */
export const IntegrationModels = z
  .object({
    integration_name: asWord(z.string()),
    models: z.array(z.string()),
    scorer_models: z.array(z.string()),
    supports_num_judges: z.boolean(),
    recommended_models: z.record(z.string(), z.array(z.string())),
    model_properties: z.array(
      z.object({
        alias: z.string(),
        name: z.string(),
        input_modalities: z.array(z.string()),
        multimodal_capabilities: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'IntegrationModels' });
export type IntegrationModels = z.output<typeof IntegrationModels>;

/** By provider. */
export const LlmIntegrations = z.record(asWord(z.string()), IntegrationModels).meta({ id: 'LlmIntegrations' });
export type LlmIntegrations = z.output<typeof LlmIntegrations>;
