import { underVitest } from '../under-vitest.ts';
import { type OtelDialectCase, otelDialectChecks } from './otel-dialect-checks.ts';

/** Checks of every OpenTelemetry dialect; a plugin's own test calls it in one line. */
export function otelDialectKit(given: OtelDialectCase): void {
  underVitest(otelDialectChecks(given));
}
