import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Span } from '@opentelemetry/api';
import { type RequestSpan, SELF_TRACE_HEADER, type SelfTracer, type SpanFacts } from '../../core/kernel/self-tracer.ts';

export interface SelfTraceSettings {
  /** Where a collector takes traces by OTLP over HTTP: `http://collector:4318/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Part of the traces that is kept, from 0 to 1. */
  readonly ratio: number;
}

/** Spans that wait to be exported; beyond them spans are dropped. */
const MAX_QUEUE = 2_048;
const EXPORT_MS = 5_000;
/** How long the last spans are waited for at the end. */
const END_MS = 2_000;

type Loaded = Awaited<ReturnType<typeof load>>;

/** By the packages of OpenTelemetry, which are loaded only where this is switched on. Nothing of them is made global. */
export class OtelSelfTracer implements SelfTracer {
  readonly #otel: Loaded;
  readonly #contexts: InstanceType<Loaded['AsyncLocalStorageContextManager']>;
  readonly #provider: InstanceType<Loaded['BasicTracerProvider']>;

  private constructor(otel: Loaded, settings: SelfTraceSettings, version: string, installation: Promise<string>) {
    this.#otel = otel;
    this.#contexts = new otel.AsyncLocalStorageContextManager().enable();
    const byRatio = new otel.TraceIdRatioBasedSampler(settings.ratio);
    const exporter = new otel.OTLPTraceExporter({
      url: settings.endpoint,
      timeoutMillis: EXPORT_MS,
      concurrencyLimit: 1,
      headers: async () => ({ ...settings.headers, [SELF_TRACE_HEADER]: await installation }),
    });
    this.#provider = new otel.BasicTracerProvider({
      resource: otel.resourceFromAttributes({ 'service.name': 'touchstone', 'service.version': version }),
      // Callers that sample all of their own requests must not decide how much is sampled here.
      sampler: new otel.ParentBasedSampler({ root: byRatio, remoteParentSampled: byRatio }),
      spanProcessors: [new otel.BatchSpanProcessor(exporter, { maxQueueSize: MAX_QUEUE, exportTimeoutMillis: EXPORT_MS })],
    });
  }

  /** `installation` is asked for by the first export: it is known once the database is. */
  static async open(settings: SelfTraceSettings, version: string, installation: Promise<string>): Promise<OtelSelfTracer> {
    return new OtelSelfTracer(await load(), settings, version, installation);
  }

  span<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T> {
    return this.#within(this.#contexts.active(), name, facts, work);
  }

  rootSpan<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T> {
    return this.#within(this.#otel.ROOT_CONTEXT, name, facts, work);
  }

  beginRequest(traceparent: string | undefined): RequestSpan {
    const { propagator, defaultTextMapGetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = this.#otel;
    const parent = propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter);
    const span = this.#tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
    const context = trace.setSpan(parent, span);
    return {
      run: (work) => this.#contexts.with(context, work),
      end: (name, status, facts) => {
        span.updateName(name).setAttributes({ ...facts, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  /** Sends what waits, as long as that takes no longer than `END_MS`. */
  async close(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => {});
    await Promise.race([sent, sleep(END_MS, undefined, { ref: false })]);
    this.#contexts.disable();
  }

  get #tracer() {
    return this.#provider.getTracer('touchstone');
  }

  async #within<T>(parent: Context, name: string, attributes: SpanFacts, work: () => Promise<T>): Promise<T> {
    const span = this.#tracer.startSpan(name, { attributes }, parent);
    try {
      return await this.#contexts.with(this.#otel.trace.setSpan(parent, span), work);
    } catch (error) {
      this.#fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** By the kind of the error alone: its message may hold what a customer sent. */
  #fail(span: Span, error: unknown): void {
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
    span.setStatus({ code: this.#otel.SpanStatusCode.ERROR });
  }
}

async function load() {
  const [api, core, contexts, resources, sdk, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, trace } = api;
  const { BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler } = sdk;
  return {
    ...{ ROOT_CONTEXT, SpanKind, SpanStatusCode, defaultTextMapGetter, trace },
    ...{ BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler },
    propagator: new core.W3CTraceContextPropagator(),
    AsyncLocalStorageContextManager: contexts.AsyncLocalStorageContextManager,
    resourceFromAttributes: resources.resourceFromAttributes,
    OTLPTraceExporter: exporter.OTLPTraceExporter,
  };
}
