import { otelDialectRoutes } from '../../adapters/http/otel/otel-dialect-routes.ts';
import { WireOtlpCodec } from '../../adapters/otlp/wire-otlp-codec.ts';
import type { PriceBook } from '../../core/models/prices/price-book.ts';
import { Dialects } from '../../core/otel/dialects/dialects.ts';
import { toFaultLog } from '../../core/otel/dialects/fault-log.ts';
import { SpanLogs } from '../../core/otel/logs/span-logs.ts';
import { MetricIntake } from '../../core/otel/metrics/metric-intake.ts';
import { OtlpService } from '../../core/otel/otlp-service.ts';
import type { PricesOf } from '../../core/otel/spans/span-metrics.ts';
import type { Given } from '../given.ts';
import { PLUGIN } from '../plugin-scope.ts';
import { capability, factory, singleton } from './registration.ts';

export const otel = capability({
  services: {
    otlpCodec: factory(() => new WireOtlpCodec()),
    getPrices: factory(
      ({ priceBook }: { priceBook: PriceBook }): PricesOf =>
        (model) =>
          priceBook.perToken(model),
    ),
    otelDialects: factory(
      ({ plugins, workContext, log }: Pick<Given, 'plugins' | 'workContext' | 'log'>) =>
        new Dialects(plugins.otelDialects, toFaultLog(log), (ids, work) => workContext.run({ [PLUGIN]: ids.join(', ') }, work)),
    ),
    otlpService: singleton(OtlpService),
    spanLogs: singleton(SpanLogs),
    metricIntake: singleton(MetricIntake),
  },
  routes: [otelDialectRoutes],
  background: [
    ({ spanLogs }: { spanLogs: SpanLogs }) => ({
      name: 'remove log records of spans that were kept long enough',
      work: async () => (await spanLogs.removeOld()).more,
      idleDelayMs: 10 * 60_000,
    }),
    ({ metricIntake }: { metricIntake: MetricIntake }) => ({
      name: 'forget streams of metrics that ended',
      work: async () => (await metricIntake.removeOld()).more,
      idleDelayMs: 60 * 60_000,
    }),
  ],
});
