import type { PriceList } from '../../../core/plugin-sdk/index.ts';

/** Collected in November 2026. */
export const prices: PriceList = {
  page: 'https://mistral.ai/pricing',
  rows: [
    { model: 'mistral-large-2512', from: '2025-12-01', input: 0.5, output: 1.5 },
    { model: 'mistral-large-latest', from: '2025-12-01', input: 0.5, output: 1.5 },
    { model: 'mistral-medium-2604', from: '2026-04-01', input: 1.5, output: 7.5 },
    { model: 'mistral-medium-latest', from: '2025-05-01', until: '2026-04-01', input: 0.4, output: 2 },
    { model: 'mistral-medium-latest', from: '2026-04-01', input: 1.5, output: 7.5 },
    { model: 'mistral-medium-2508', from: '2025-08-01', input: 0.4, output: 2 },
    { model: 'ministral-8b-2512', from: '2025-12-01', input: 0.15, output: 0.15 },
  ],
};
