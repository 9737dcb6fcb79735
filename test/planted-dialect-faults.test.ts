import { describe, expect, it } from 'vitest';
import { otelDialectChecks } from '../plugin-kit/dialects/otel-dialect-checks.ts';
import { runChecks } from '../plugin-kit/run-checks.ts';
import { sampleDialectKit } from '../plugin-kit/templates/otel_dialect/kit.ts';
import { dialectFaults } from './plugin-kit/dialect-faults.ts';

describe('the kit of OpenTelemetry dialects', () => {
  it('finds nothing wrong with the sample', async () => {
    const results = await runChecks(otelDialectChecks(sampleDialectKit));
    expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  it('is tried with at least 40 mistakes, each named once', () => {
    expect(dialectFaults.length).toBeGreaterThanOrEqual(40);
    expect(new Set(dialectFaults.map(({ what }) => what)).size).toBe(dialectFaults.length);
  });

  it.each(dialectFaults)('finds, by "$found", a dialect that $what', async ({ found, make }) => {
    const list = otelDialectChecks(make());
    const checks = list.checks.filter(({ name }) => name === found);
    expect(checks).toHaveLength(1);
    const [result] = await runChecks({ ...list, checks });
    expect(result?.failure).toEqual(expect.any(String));
  });
});
