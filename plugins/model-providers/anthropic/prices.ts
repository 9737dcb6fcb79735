import type { PriceList } from '../../../core/plugin-sdk/index.ts';

/** Collected in November 2026. */
export const prices: PriceList = {
  page: 'https://claude.com/pricing',
  rows: [
    { model: 'claude-opus-4-7', from: '2026-04-16', input: 5, cached_input: 0.5, cache_write: 6.25, output: 25 },
    { model: 'claude-opus-4-6', from: '2026-02-05', input: 5, cached_input: 0.5, cache_write: 6.25, output: 25 },
    { model: 'claude-opus-4-5', from: '2025-11-01', input: 5, cached_input: 0.5, cache_write: 6.25, output: 25 },
    { model: 'claude-opus-4-1', from: '2025-08-05', input: 15, cached_input: 1.5, cache_write: 18.75, output: 75 },
    { model: 'claude-sonnet-5', from: '2026-01-01', input: 2, cached_input: 0.2, cache_write: 2.5, output: 10 },
    { model: 'claude-sonnet-4-6', from: '2026-01-01', input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 },
    { model: 'claude-sonnet-4-5', from: '2025-09-29', input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 },
    { model: 'claude-sonnet-4', from: '2025-05-14', input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 },
    { model: 'claude-haiku-4-5', from: '2025-10-01', input: 1, cached_input: 0.1, cache_write: 1.25, output: 5 },
  ],
};
