import { z } from 'zod';
import type { OtelDialectPlugin } from '../../plugin-sdk/otel/index.ts';

/** An OpenTelemetry dialect as the API shows it: which spans it reads, and what it finds in them. */
export const OtelDialectView = z
  .object({
    id: z.string(),
    label: z.string(),
    summary: z.string(),
    stability: z.enum(['experimental', 'stable', 'deprecated']),
    recognizes: z
      .object({
        scopes: z.array(z.string()).describe('Names of instrumentation scopes.'),
        attributes: z.array(z.string()).describe('Names of attributes, or beginnings of them that end in a dot.'),
        events: z.array(z.string()).describe('Names of events, or beginnings of them that end in a dot.'),
      })
      .describe('A span that holds any of these is read by the dialect.'),
    fields: z.array(z.string()).describe('The fields of a span that it fills.'),
  })
  .meta({ id: 'OtelDialect' });
export type OtelDialectView = z.output<typeof OtelDialectView>;

export const OtelDialectList = z.object({ otel_dialects: z.array(OtelDialectView) }).meta({ id: 'OtelDialectList' });

export function otelDialectView({ id, label, summary, stability, recognizes, sources }: OtelDialectPlugin): OtelDialectView {
  const { scopes = [], attributes = [], events = [] } = recognizes;
  return {
    ...{ id, label, summary, stability },
    recognizes: { scopes: [...scopes], attributes: [...attributes], events: [...events] },
    fields: Object.keys(sources),
  };
}
