import { describe, expect, it } from 'vitest';
import { expandSpan, MAPPING, RESOURCE } from '../../../test/fixtures/otel/short-form.ts';
import { pricedCall } from '../../traces/ingest/computed-metrics.ts';
import { recordOfSpan } from '../otel-record.ts';
import { mapSpan } from './map-span.ts';
import { computeSpanCost } from './span-metrics.ts';

const PRICES = { input: 2.5e-6, output: 10e-6, cached_input: 0.25e-6, cache_write_input: 3.125e-6 };
const getPrices = (model: string) => (model === 'm' ? PRICES : undefined);
const place = { project_id: 'p', run_id: 'r', now: '2026-01-01T00:00:00.000Z' };
/** The cost of the record that is stored of a span. */
function costIn(attributes: Record<string, string | number>) {
  const span = mapSpan(expandSpan({ spanId: '00f067aa0ba902b7', attributes }), 'lib', RESOURCE, { ...MAPPING, getPrices });
  return pricedCall(recordOfSpan(span, place, null), getPrices).metrics.cost;
}

describe('cost', () => {
  it('prices cached tokens apart', () => {
    const tokens = {
      num_input_tokens: 1000,
      num_cached_input_tokens: 600,
      num_cache_write_input_tokens: 100,
      num_output_tokens: 50,
    };
    expect(computeSpanCost(tokens, PRICES)).toBeCloseTo(0.0017125, 12);
    expect(computeSpanCost(tokens, { input: 1, output: 0 })).toBe(1000);
  });

  it('is computed for a model with prices, unless the sender stated it', () => {
    const usage = {
      'gen_ai.usage.input_tokens': 300,
      'gen_ai.usage.output_tokens': 50,
      'gen_ai.usage.cache_read.input_tokens': 600,
      'gen_ai.usage.cache_creation.input_tokens': 100,
    };
    expect(costIn({ 'gen_ai.request.model': 'm', ...usage })).toBeCloseTo(0.0017125, 12);
    expect(costIn({ 'gen_ai.request.model': 'm', ...usage, 'llm.cost.total': 0 })).toBeCloseTo(0.0017125, 12);
    expect(costIn({ 'gen_ai.request.model': 'm', ...usage, 'llm.cost.total': 0.5 })).toBe(0.5);
    expect(costIn({ 'gen_ai.request.model': 'other', ...usage, 'llm.cost.total': 0 })).toBeUndefined();
    expect(costIn({ 'gen_ai.request.model': 'm', 'llm.cost.total': 0 })).toBe(0);
    expect(costIn({ 'gen_ai.request.model': 'other', ...usage })).toBeUndefined();
    expect(costIn({ 'gen_ai.request.model': 'm' })).toBeUndefined();
  });

  it('of an embedding is computed by its model, which is kept', () => {
    expect(costIn({ 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 2 })).toBe(
      5e-6,
    );
  });

  it('ignores what is no number, or below zero', () => {
    expect(costIn({ 'gen_ai.request.model': 'other', 'llm.cost.total': 'free' })).toBeUndefined();
    expect(costIn({ 'gen_ai.request.model': 'other', 'llm.cost.total': -1 })).toBeUndefined();
  });
});
