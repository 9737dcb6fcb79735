import type { PriceList } from '../../../core/plugin-sdk/index.ts';

/** Collected in November 2026. */
export const prices: PriceList = {
  page: 'https://writer.com/pricing',
  rows: [{ model: 'palmyra-x5', from: '2025-04-28', input: 0.6, output: 6 }],
};
