import type { PriceList } from '../../../core/plugin-sdk/index.ts';

/** Models of OpenAI cost here what they cost there. */
export const prices: PriceList = {
  page: 'https://azure.microsoft.com/pricing/details/cognitive-services/openai-service/',
  rows: [],
  toPricedName: (model) => ({ provider: 'openai', model }),
};
