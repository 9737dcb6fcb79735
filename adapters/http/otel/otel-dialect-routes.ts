import { OtelDialectList, otelDialectView } from '../../../core/otel/dialects/dialect-view.ts';
import type { Dialects } from '../../../core/otel/dialects/dialects.ts';
import { type Route, route } from '../route.ts';

export const otelDialectRoutes = ({ otelDialects }: { readonly otelDialects: Dialects }): Route[] => [
  route({
    method: 'get',
    path: '/v2/otel_dialects',
    operationId: 'listOtelDialects',
    summary: 'The installed dialects of OpenTelemetry: whose spans are read as what.',
    tag: 'traces',
    response: OtelDialectList,
    handle: async () => ({ otel_dialects: otelDialects.list().map(otelDialectView) }),
  }),
];
