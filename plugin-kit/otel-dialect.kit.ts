import { type OtelDialectCase, otelDialectChecks } from './dialects/otel-dialect-checks.ts';
import { underVitest } from './under-vitest.ts';

/** Checks of every OpenTelemetry dialect; a plugin's own test calls it in one line. */
export function otelDialectKit(given: OtelDialectCase): void {
  underVitest(otelDialectChecks(given));
}
