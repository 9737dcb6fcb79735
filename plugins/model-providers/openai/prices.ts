import type { PriceList } from '../../../core/plugin-sdk/index.ts';

/** Collected in November 2026. */
export const prices: PriceList = {
  page: 'https://openai.com/api/pricing',
  rows: [
    { model: 'gpt-5.5', from: '2026-04-23', input: 5, cached_input: 0.5, output: 30 },
    { model: 'gpt-5.5-pro', from: '2026-04-23', input: 30, cached_input: 3, output: 180 },
    { model: 'gpt-5.4', from: '2026-03-05', input: 2.5, cached_input: 0.25, output: 15 },
    { model: 'gpt-5.4-pro', from: '2026-03-05', input: 30, cached_input: 3, output: 180 },
    { model: 'gpt-5.4-mini', from: '2026-03-17', input: 0.75, cached_input: 0.075, output: 4.5 },
    { model: 'gpt-5.4-nano', from: '2026-03-17', input: 0.2, cached_input: 0.02, output: 1.25 },
    { model: 'gpt-5.2', from: '2025-12-11', input: 1.75, cached_input: 0.175, output: 14 },
    { model: 'gpt-5.1', from: '2025-11-12', input: 1.25, cached_input: 0.125, output: 10 },
    { model: 'gpt-5', from: '2025-08-07', input: 1.25, cached_input: 0.125, output: 10 },
    { model: 'gpt-5-mini', from: '2025-08-07', input: 0.25, cached_input: 0.025, output: 2 },
    { model: 'gpt-5-nano', from: '2025-08-07', input: 0.05, cached_input: 0.005, output: 0.4 },
    { model: 'gpt-5-pro', from: '2025-10-06', input: 15, output: 120 },
    { model: 'gpt-4.1', from: '2025-04-14', input: 2, cached_input: 0.5, output: 8 },
    { model: 'gpt-4.1-mini', from: '2025-04-14', input: 0.4, cached_input: 0.1, output: 1.6 },
    { model: 'gpt-4.1-nano', from: '2025-04-14', input: 0.1, cached_input: 0.025, output: 0.4 },
    { model: 'gpt-4o', from: '2024-10-01', input: 2.5, cached_input: 1.25, output: 10 },
    { model: 'gpt-4o-mini', from: '2024-10-01', input: 0.15, cached_input: 0.075, output: 0.6 },
    { model: 'o3', from: '2025-04-16', until: '2025-06-10', input: 10, cached_input: 2.5, output: 40 },
    { model: 'o3', from: '2025-06-10', input: 2, cached_input: 0.5, output: 8 },
    { model: 'o4-mini', from: '2025-04-16', input: 1.1, cached_input: 0.275, output: 4.4 },
  ],
};
