import { WireOtlpCodec } from '../../adapters/otlp/wire-otlp-codec.ts';
import type { PriceBook } from '../../core/models/prices/price-book.ts';
import { OtlpService } from '../../core/otel/otlp-service.ts';
import type { PricesOf } from '../../core/otel/spans/span-metrics.ts';
import { capability, factory, singleton } from './registration.ts';

export const otel = capability({
  services: {
    otlpCodec: factory(() => new WireOtlpCodec()),
    getPrices: factory(
      ({ priceBook }: { priceBook: PriceBook }): PricesOf =>
        (model) =>
          priceBook.perToken(model),
    ),
    otlpService: singleton(OtlpService),
  },
});
