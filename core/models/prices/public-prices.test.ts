import { describe, expect, it } from 'vitest';
import { MODEL_PROVIDERS } from '../../../config/plugins.ts';
import { readPublicPrices } from '../../../config/prices/public-prices.ts';
import { PluginRegistry } from '../../kernel/plugin-registry.ts';
import { listModelNames } from './model-names.ts';
import type { Price } from './price.ts';
import { PriceBook } from './price-book.ts';

const publicPrices = readPublicPrices();
const bookOf = (modelPrices: Price[] = [], now = '2026-11-01T00:00:00Z') =>
  new PriceBook({ modelPrices, modelProviders: new PluginRegistry(MODEL_PROVIDERS), clock: () => new Date(now), publicPrices });
const inputPrice = (model: string): number | undefined => {
  const price = bookOf().perToken(model)?.input;
  return price === undefined ? undefined : Math.round(price * 1e12) / 1e6;
};

describe('the price of a model', () => {
  it.each([
    ['openai/gpt-4o-mini', 'gpt-4o-mini'],
    ['azure/gpt-4o', 'gpt-4o'],
    ['openrouter/anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5'],
    ['anthropic/claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['gemini/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
  ])('%s is that of %s', (name, plain) => {
    expect(inputPrice(plain)).toBeGreaterThan(0);
    expect(inputPrice(name)).toBe(inputPrice(plain));
  });

  it.each([
    'text-embedding-3-small',
    'text-embedding-ada-002',
    'mistral-large-latest',
    'mistral-embed',
    'deepseek-chat',
    'deepseek/deepseek-chat',
    'grok-3',
    'xai/grok-3-mini',
    'llama-3.3-70b-versatile',
    'groq/llama-3.3-70b-versatile',
    'together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo',
    'amazon.nova-pro-v1:0',
    'bedrock/us.amazon.nova-pro-v1:0',
    'meta.llama3-1-70b-instruct-v1:0',
    'command-r-plus',
    'gemini-embedding-001',
  ])('%s is known', (name) => {
    expect(inputPrice(name)).toBeGreaterThan(0);
  });

  it.each(['in-house', 'gpt', 'm', 'my-own-gpt-4o', 'openai/in-house', '', '/', 'x'.repeat(10_000), '__proto__/constructor'])(
    '%j is not known',
    (name) => {
      expect(inputPrice(name)).toBeUndefined();
    },
  );

  it("is the operator's own first, by any of its names", () => {
    const own: Price[] = [{ provider: 'openai', model: 'gpt-4o', from: '2026-01-01', input: 1, output: 8 }];
    expect(bookOf(own).perToken('azure/gpt-4o')?.input).toBe(1e-6);
  });
});

it('names of a model begin with the one that was sent, and end with the plainest', () => {
  const names = listModelNames('bedrock/eu.anthropic.claude-x-v1:0');
  expect(names[0]).toEqual({ model: 'bedrock/eu.anthropic.claude-x-v1:0' });
  expect(names.at(-1)).toEqual({ model: 'claude-x', provider: 'aws' });
});
