import { z } from 'zod';

/** Questions to one model in a month, by those that the last week's records would bring. */
export const ForecastModel = z
  .object({
    model_alias: z.string().describe('As the scorer names it.'),
    provider: z.string().nullable(),
    model: z.string().nullable().describe('Its name at the provider; null where no integration of the caller offers it.'),
    calls_per_month: z.number(),
    input_tokens_per_call: z.number(),
    output_tokens_per_call: z.number(),
    cost_per_call: z.number().nullable().describe('US dollars; null when the price is not known.'),
    is_forbidden: z.boolean().describe('It has no price, and calls of such models are forbidden: each would be refused.'),
    is_measured: z
      .boolean()
      .describe('Whether tokens are those of earlier calls of this version in the project; else they are estimated from texts.'),
  })
  .meta({ id: 'ForecastModel' });
export type ForecastModel = z.output<typeof ForecastModel>;

/** Cost of a scorer before it is enabled. */
export const CostForecast = z
  .object({
    monthly_cost: z
      .number()
      .nullable()
      .describe(
        'US dollars in 30 days of traffic like the last seven; 0 only where no model is asked, null when it is not known.',
      ),
    unknown_because: z.string().nullable(),
    records_last_week: z.int().describe('Records of the types that the scorer looks at.'),
    judged_last_week: z.number().describe('About how many of them pass its filters and samples.'),
    models: z.array(ForecastModel),
  })
  .meta({ id: 'ScorerCostForecast' });
export type CostForecast = z.output<typeof CostForecast>;
