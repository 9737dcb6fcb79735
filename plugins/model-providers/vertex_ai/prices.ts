import type { PriceList } from '../../../core/plugin-sdk/index.ts';

/** Collected in November 2026. */
export const prices: PriceList = {
  page: 'https://cloud.google.com/vertex-ai/generative-ai/pricing',
  rows: [
    { model: 'gemini-3.5-flash', from: '2026-01-01', input: 1.5, cached_input: 0.15, output: 9 },
    { model: 'gemini-3.1-pro-preview', from: '2026-01-01', input: 2, cached_input: 0.2, output: 12 },
    { model: 'gemini-3.1-flash-lite', from: '2026-01-01', input: 0.25, cached_input: 0.025, output: 1.5 },
    { model: 'gemini-3-pro-preview', from: '2025-11-18', input: 2, cached_input: 0.2, output: 12 },
    { model: 'gemini-3-flash-preview', from: '2025-12-01', input: 0.5, cached_input: 0.05, output: 3 },
    { model: 'gemini-2.5-pro', from: '2025-06-17', input: 1.25, cached_input: 0.125, output: 10 },
    { model: 'gemini-2.5-flash', from: '2025-06-17', input: 0.3, cached_input: 0.03, output: 2.5 },
    { model: 'gemini-2.5-flash-lite', from: '2025-07-22', input: 0.1, cached_input: 0.01, output: 0.4 },
  ],
};
