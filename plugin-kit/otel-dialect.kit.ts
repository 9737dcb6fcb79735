import { type OtelDialectCase, otelDialectChecks } from './dialects/otel-dialect-checks.ts';
import { underVitest } from './under-vitest.ts';

/** What every OpenTelemetry dialect has to hold; a plugin's own test calls it in one line. */
export function otelDialectKit(given: OtelDialectCase): void {
  underVitest(otelDialectChecks(given));
}
