import { describe, expect, it } from 'vitest';
import { MODEL_PROVIDERS } from '../../../config/plugins.ts';
import { PluginRegistry } from '../../kernel/plugin-registry.ts';
import { computeUsageCost, getPrice, Price } from './price.ts';
import { PriceBook } from './price-book.ts';

const at = '2026-06-01T12:00:00.000Z';
const modelProviders = new PluginRegistry(MODEL_PROVIDERS);
const book = new PriceBook({ modelPrices: [], modelProviders, clock: () => new Date(at) });
const lists = MODEL_PROVIDERS.flatMap(({ id, prices }) => (prices ? [{ provider: id, ...prices }] : []));
const PRICES = lists.flatMap(({ provider, rows }): Price[] => rows.map((row) => ({ ...row, provider })));

/** Computes the price of a million tokens of input. */
function toInput(provider: string, model: string, when = at): number | undefined {
  const completion = { text: '', finish_reason: 'stop', model, usage: { input_tokens: 1e6, output_tokens: 0 } } as const;
  return book.computeCost(completion, { provider, at: when }) ?? undefined;
}

describe('the list prices of the providers that are installed', () => {
  it('have rows that fit their shape, with prices above zero', () => {
    for (const row of PRICES) {
      expect(Price.parse(row)).toEqual(row);
      for (const price of [row.input, row.output, row.cached_input, row.cache_write]) expect(price ?? 1).toBeGreaterThan(0);
      expect(row.cached_input ?? 0).toBeLessThanOrEqual(row.input);
      expect(row.cache_write ?? row.input).toBeGreaterThanOrEqual(row.input);
      expect(row.output).toBeGreaterThanOrEqual(row.input);
    }
    expect(PRICES.length).toBeGreaterThan(40);
  });

  it('name the page of their provider, and other names under which a provider that is installed has prices', () => {
    const priced = lists.filter(({ rows }) => rows.length > 0).map(({ provider }) => provider);
    expect(priced).toEqual(['anthropic', 'cloud_model_hosting', 'mistral', 'openai', 'vertex_ai', 'writer']);
    for (const { page, toPricedName } of lists) {
      expect(page).toMatch(/^https:\/\/\S+pricing/);
      if (toPricedName) expect(priced).toContain(toPricedName('us.anthropic.claude-x').provider);
    }
  });

  it('have one price for each model on each day', () => {
    for (const [name, rows] of Map.groupBy(PRICES, ({ provider, model }) => `${provider} ${model}`)) {
      const spans = rows.toSorted((a, b) => a.from.localeCompare(b.from));
      for (const [index, { from, until }] of spans.entries()) {
        expect(until === undefined || from < until, name).toBe(true);
        const next = spans[index + 1];
        if (next) expect(until !== undefined && until <= next.from, `${name} overlaps`).toBe(true);
      }
    }
  });
});

describe('a price', () => {
  it('is found by the name of the model', () => {
    expect(toInput('openai', 'gpt-5')).toBe(1.25);
    expect(toInput('openai', 'gpt-5-mini')).toBe(0.25);
  });

  it('is found with the date or number of a version behind the name, and with nothing else', () => {
    expect(toInput('openai', 'gpt-5-mini-2025-08-07')).toBe(0.25);
    expect(toInput('anthropic', 'claude-sonnet-4-5-20250929')).toBe(3);
    expect(toInput('anthropic', 'claude-sonnet-4-5@20250929')).toBe(3);
    expect(toInput('vertex_ai', 'gemini-2.5-flash-001')).toBe(0.3);
    expect(toInput('openai', 'gpt-5-turbo')).toBeUndefined();
    expect(toInput('openai', 'gpt-5-mini-2025-08-07-mine')).toBeUndefined();
  });

  it('is not taken from another provider', () => {
    expect(toInput('gateway', 'gpt-5')).toBeUndefined();
    expect(toInput('mistral', 'gpt-5')).toBeUndefined();
  });

  it("is the vendor's where the provider only hosts the model", () => {
    expect(toInput('azure', 'gpt-5-mini-2025-08-07')).toBe(0.25);
    expect(toInput('cloud_model_hosting', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBe(3);
    expect(toInput('cloud_model_hosting', 'amazon.nova-lite-v1:0')).toBe(0.06);
    expect(
      toInput('cloud_model_hosting', 'arn:aws:bedrock:us-west-2:123456789012:application-inference-profile/x'),
    ).toBeUndefined();
  });

  it('is the one of the day of the call', () => {
    expect(toInput('openai', 'o3', '2025-06-09T23:59:59.999Z')).toBe(10);
    expect(toInput('openai', 'o3', '2025-06-10T00:00:00.000Z')).toBe(2);
    expect(toInput('openai', 'gpt-5.5', '2026-04-22T23:59:59.999Z')).toBeUndefined();
  });

  it("is the operator's own before that of the table", () => {
    const own: Price[] = [{ provider: 'openai', model: 'gpt-5', from: '2026-01-01', until: '2026-07-01', input: 1, output: 8 }];
    expect(getPrice([{ provider: 'openai', model: 'gpt-5-2025-08-07' }], at, own, PRICES)).toBe(own[0]);
    expect(getPrice([{ provider: 'openai', model: 'gpt-5' }], '2026-07-01T00:00:00Z', own, PRICES)?.input).toBe(1.25);
  });
});

describe('a cost', () => {
  const price: Price = {
    provider: 'p',
    model: 'm',
    from: '2026-01-01',
    input: 3,
    cached_input: 0.3,
    cache_write: 3.75,
    output: 15,
  };

  it('counts cached and written input at their own prices, and reasoning as output', () => {
    const usage = { input_tokens: 1000, cached_tokens: 600, cache_write_tokens: 100, output_tokens: 50, reasoning_tokens: 20 };
    expect(computeUsageCost(usage, price)).toBeCloseTo((300 * 3 + 600 * 0.3 + 100 * 3.75 + 50 * 15) / 1e6, 12);
  });

  it('takes the price of input where a cache has none', () => {
    const { cached_input: _cached, cache_write: _written, ...plain } = price;
    expect(computeUsageCost({ input_tokens: 10, cached_tokens: 4, cache_write_tokens: 2, output_tokens: 0 }, plain)).toBeCloseTo(
      30 / 1e6,
      12,
    );
  });

  it('is not known without a price or without counts', () => {
    expect(computeUsageCost({ input_tokens: 1, output_tokens: 1 }, undefined)).toBeNull();
    expect(computeUsageCost({ input_tokens: 1 }, price)).toBeNull();
  });

  it('is what the provider says, if it says so', () => {
    const completion = {
      text: '',
      finish_reason: 'stop',
      model: 'gpt-5',
      usage: { input_tokens: 1e6, output_tokens: 0 },
    } as const;
    expect(book.computeCost(completion, { provider: 'openai', at })).toBe(1.25);
    expect(book.computeCost({ ...completion, cost: 0 }, { provider: 'openai', at })).toBe(0);
  });
});
