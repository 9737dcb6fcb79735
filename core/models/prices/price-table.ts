import type { Price } from './price.ts';

type Row = Omit<Price, 'provider'>;

interface PriceList {
  readonly provider: string;
  /** Where the vendor publishes its prices; where a row differs from the page, the page is right. */
  readonly page: string;
  readonly rows: readonly Row[];
}

const OPENAI: readonly Row[] = [
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
];

const ANTHROPIC: readonly Row[] = [
  { model: 'claude-opus-4-7', from: '2026-04-16', input: 5, cached_input: 0.5, cache_write: 6.25, output: 25 },
  { model: 'claude-opus-4-6', from: '2026-02-05', input: 5, cached_input: 0.5, cache_write: 6.25, output: 25 },
  { model: 'claude-opus-4-5', from: '2025-11-01', input: 5, cached_input: 0.5, cache_write: 6.25, output: 25 },
  { model: 'claude-opus-4-1', from: '2025-08-05', input: 15, cached_input: 1.5, cache_write: 18.75, output: 75 },
  { model: 'claude-sonnet-5', from: '2026-01-01', input: 2, cached_input: 0.2, cache_write: 2.5, output: 10 },
  { model: 'claude-sonnet-4-6', from: '2026-01-01', input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 },
  { model: 'claude-sonnet-4-5', from: '2025-09-29', input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 },
  { model: 'claude-sonnet-4', from: '2025-05-14', input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 },
  { model: 'claude-haiku-4-5', from: '2025-10-01', input: 1, cached_input: 0.1, cache_write: 1.25, output: 5 },
];

const VERTEX_AI: readonly Row[] = [
  { model: 'gemini-3.5-flash', from: '2026-01-01', input: 1.5, cached_input: 0.15, output: 9 },
  { model: 'gemini-3.1-pro-preview', from: '2026-01-01', input: 2, cached_input: 0.2, output: 12 },
  { model: 'gemini-3.1-flash-lite', from: '2026-01-01', input: 0.25, cached_input: 0.025, output: 1.5 },
  { model: 'gemini-3-pro-preview', from: '2025-11-18', input: 2, cached_input: 0.2, output: 12 },
  { model: 'gemini-3-flash-preview', from: '2025-12-01', input: 0.5, cached_input: 0.05, output: 3 },
  { model: 'gemini-2.5-pro', from: '2025-06-17', input: 1.25, cached_input: 0.125, output: 10 },
  { model: 'gemini-2.5-flash', from: '2025-06-17', input: 0.3, cached_input: 0.03, output: 2.5 },
  { model: 'gemini-2.5-flash-lite', from: '2025-07-22', input: 0.1, cached_input: 0.01, output: 0.4 },
];

const MISTRAL: readonly Row[] = [
  { model: 'mistral-large-2512', from: '2025-12-01', input: 0.5, output: 1.5 },
  { model: 'mistral-large-latest', from: '2025-12-01', input: 0.5, output: 1.5 },
  { model: 'mistral-medium-2604', from: '2026-04-01', input: 1.5, output: 7.5 },
  { model: 'mistral-medium-latest', from: '2025-05-01', until: '2026-04-01', input: 0.4, output: 2 },
  { model: 'mistral-medium-latest', from: '2026-04-01', input: 1.5, output: 7.5 },
  { model: 'mistral-medium-2508', from: '2025-08-01', input: 0.4, output: 2 },
  { model: 'ministral-8b-2512', from: '2025-12-01', input: 0.15, output: 0.15 },
];

const CLOUD_MODEL_HOSTING: readonly Row[] = [
  { model: 'amazon.nova-2-lite', from: '2025-12-01', input: 0.3, cached_input: 0.075, output: 2.5 },
  { model: 'amazon.nova-premier', from: '2025-04-30', input: 2.5, output: 12.5 },
  { model: 'amazon.nova-pro', from: '2024-12-03', input: 0.8, cached_input: 0.2, output: 3.2 },
  { model: 'amazon.nova-lite', from: '2024-12-03', input: 0.06, cached_input: 0.015, output: 0.24 },
  { model: 'amazon.nova-micro', from: '2024-12-03', input: 0.035, cached_input: 0.00875, output: 0.14 },
];

const WRITER: readonly Row[] = [{ model: 'palmyra-x5', from: '2025-04-28', input: 0.6, output: 6 }];

/**
 * List prices on authorize: the first tier of prompt lengths, no batch, priority or regional surcharge. Collected in November
 * 2026 from public tables of list prices. A change of a price is a new row, and an `until` on the old one.
 */
export const PRICE_LISTS: readonly PriceList[] = [
  { provider: 'openai', page: 'https://openai.com/api/pricing', rows: OPENAI },
  { provider: 'anthropic', page: 'https://claude.com/pricing', rows: ANTHROPIC },
  { provider: 'vertex_ai', page: 'https://cloud.google.com/vertex-ai/generative-ai/pricing', rows: VERTEX_AI },
  { provider: 'mistral', page: 'https://mistral.ai/pricing', rows: MISTRAL },
  { provider: 'cloud_model_hosting', page: 'https://aws.amazon.com/bedrock/pricing', rows: CLOUD_MODEL_HOSTING },
  { provider: 'writer', page: 'https://writer.com/pricing', rows: WRITER },
];

export const PRICES: readonly Price[] = PRICE_LISTS.flatMap(({ provider, rows }) => rows.map((row) => ({ provider, ...row })));
