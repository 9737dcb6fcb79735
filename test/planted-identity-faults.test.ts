import { describe, expect, it } from 'vitest';
import { identityProviderChecks } from '../plugin-kit/identity-provider/identity-checks.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { identityFaults, wholeProviders } from './plugin-kit/identity-faults.ts';

describe('the kit of identity providers', () => {
  it.each(wholeProviders.map((given, number) => ({ given, number })))(
    'finds nothing wrong with whole provider $number',
    async ({ given }) => {
      const results = await runChecks(identityProviderChecks(given));
      expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
    },
  );

  it('is tried with at least 30 mistakes, each named once', () => {
    expect(identityFaults.length).toBeGreaterThanOrEqual(30);
    expect(new Set(identityFaults.map(({ what }) => what)).size).toBe(identityFaults.length);
  });

  it.each(identityFaults)('finds, by "$found", a provider that $what', async ({ found, make }) => {
    const list = identityProviderChecks(make());
    const checks = list.checks.filter(({ name }) => name === found);
    expect(checks).toHaveLength(1);
    const [result] = await runChecks({ ...list, checks });
    expect(result?.failure).toEqual(expect.any(String));
  });
});
