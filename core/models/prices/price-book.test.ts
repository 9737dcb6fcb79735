import { describe, expect, it } from 'vitest';
import { MODEL_PROVIDERS } from '../../../config/plugins.ts';
import { PluginRegistry } from '../../kernel/plugin-registry.ts';
import type { Completion } from '../../plugin-sdk/index.ts';
import type { Price } from './price.ts';
import { PriceBook } from './price-book.ts';

const at = '2026-06-01T12:00:00.000Z';
const completion: Completion = {
  text: '',
  finish_reason: 'stop',
  model: 'gpt-5',
  usage: { input_tokens: 1_000_000, output_tokens: 0 },
};
const own: Price[] = [{ provider: 'openai', model: 'gpt-5', from: '2026-01-01', input: 1, output: 8 }];
const modelProviders = new PluginRegistry(MODEL_PROVIDERS);
const getBook = (modelPrices: Price[] = [], now = at) =>
  new PriceBook({ modelPrices, modelProviders, clock: () => new Date(now) });

describe('the book of prices', () => {
  it('takes what the provider says, then the prices of the operator, then list prices', () => {
    const call = { provider: 'openai', at };
    expect(getBook().computeCost(completion, call)).toBe(1.25);
    expect(getBook(own).computeCost(completion, call)).toBe(1);
    expect(getBook(own).computeCost({ ...completion, cost: 0.5 }, call)).toBe(0.5);
    expect(getBook(own).computeCost(completion, { ...call, provider: 'gateway' })).toBeNull();
  });

  it('knows prices per token by the name of the model alone', () => {
    expect(getBook().perToken('claude-sonnet-4-5-20250929')).toEqual({
      input: 3e-6,
      output: 15e-6,
      cached_input: 0.3 / 1e6,
      cache_write_input: 3.75e-6,
    });
    expect(getBook(own).perToken('gpt-5')).toMatchObject({ input: 1e-6, cached_input: 1e-6 });
    expect(getBook().perToken('in-house')).toBeUndefined();
  });

  it("takes the operator's price of a vendor for what others host, before the list price of the vendor", () => {
    expect(getBook(own).computeCost(completion, { provider: 'azure', at })).toBe(1);
    expect(getBook().computeCost(completion, { provider: 'azure', at })).toBe(1.25);
  });

  it('has the list prices of a provider that came from outside, and none of one that is not installed', () => {
    const rows = [{ model: 'in-house', from: '2026-01-01', input: 2, output: 3 }];
    const prices = { page: 'https://example.org/pricing', rows };
    const outside = { ...MODEL_PROVIDERS[0]!, id: 'outside', prices };
    const book = new PriceBook({ modelPrices: [], modelProviders: new PluginRegistry([outside]), clock: () => new Date(at) });
    expect(book.computeCost({ ...completion, model: 'in-house' }, { provider: 'outside', at })).toBe(2);
    expect(book.perToken('in-house')?.input).toBe(2e-6);
    expect(book.computeCost(completion, { provider: 'openai', at })).toBeNull();
  });

  it('goes with the day', () => {
    let now = '2025-06-09T23:59:59Z';
    const book = new PriceBook({ modelPrices: [], modelProviders, clock: () => new Date(now) });
    expect(book.perToken('o3')?.input).toBe(10 / 1e6);
    now = '2025-06-10T00:00:00Z';
    expect(book.perToken('o3')?.input).toBe(2 / 1e6);
  });
});
