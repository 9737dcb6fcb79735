import type { PriceList } from '../../../core/plugin-sdk/index.ts';

/** The id of a model at Bedrock, of another vendor where that is named: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
const HOSTED = /^(?:(?:us|eu|apac|jp|au|ca|global)\.)?(?:(anthropic)\.)?(.+?)(?:-v\d+(?::\d+)?)?$/;

/** Collected in November 2026. */
export const prices: PriceList = {
  page: 'https://aws.amazon.com/bedrock/pricing',
  rows: [
    { model: 'amazon.nova-2-lite', from: '2025-12-01', input: 0.3, cached_input: 0.075, output: 2.5 },
    { model: 'amazon.nova-premier', from: '2025-04-30', input: 2.5, output: 12.5 },
    { model: 'amazon.nova-pro', from: '2024-12-03', input: 0.8, cached_input: 0.2, output: 3.2 },
    { model: 'amazon.nova-lite', from: '2024-12-03', input: 0.06, cached_input: 0.015, output: 0.24 },
    { model: 'amazon.nova-micro', from: '2024-12-03', input: 0.035, cached_input: 0.00875, output: 0.14 },
  ],
  toPricedName(model) {
    const [, vendor = 'cloud_model_hosting', name = model] = HOSTED.exec(model) ?? [];
    return { provider: vendor, model: name };
  },
};
