import { describe, expect, it } from 'vitest';
import { modelProviderChecks } from '../plugin-kit/model-provider/model-provider-checks.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { sampleProviderKit } from '../plugin-kit/templates/model_provider/kit.ts';
import { seeingSample } from './plugin-kit/provider-call-faults.ts';
import { providerFaults } from './plugin-kit/provider-faults.ts';
import { pricedSample } from './plugin-kit/provider-price-faults.ts';

describe('the kit of model providers', () => {
  it.each([
    ['no prices', sampleProviderKit],
    ['a price list', pricedSample],
    ['models that read pictures', seeingSample],
  ])('finds nothing wrong with a provider that is whole and has %s', async (_, given) => {
    const verdicts = await runChecks(modelProviderChecks(given));
    expect(verdicts.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  it('is tried with at least 60 mistakes, each named once', () => {
    expect(providerFaults.length).toBeGreaterThanOrEqual(60);
    expect(new Set(providerFaults.map(({ what }) => what)).size).toBe(providerFaults.length);
  });

  it.each(providerFaults)('finds, by "$found", a provider that $what', async ({ found, make }) => {
    const list = modelProviderChecks(make());
    const checks = list.checks.filter(({ name }) => name === found);
    expect(checks).toHaveLength(1);
    const [verdict] = await runChecks({ ...list, checks });
    expect(verdict?.failure).toEqual(expect.any(String));
  });
});
