import { context, type Span, SpanStatusCode, type Tracer, trace as traces } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { RetryingExporter } from './retrying-exporter.ts';
import type { Settings } from './settings.ts';

export type SpanType = 'llm' | 'tool' | 'retriever' | 'workflow' | 'agent';

export interface SpanOptions {
  readonly name: string;
  /** Workflow by default. */
  readonly type?: SpanType;
  readonly input?: unknown;
  /** Conversation that the trace belongs to. */
  readonly sessionId?: string;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

const KINDS: Readonly<Record<SpanType, string>> = {
  llm: 'LLM',
  tool: 'TOOL',
  retriever: 'RETRIEVER',
  workflow: 'CHAIN',
  agent: 'AGENT',
};

/** Spans of OpenTelemetry, sent to the service in the background. They nest with those of any instrumentation. */
export class Tracing {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;

  constructor({ url, apiKey, project, logStream, queueSize, giveUpAfterMs, onLost }: Settings) {
    const headers = {
      'service-api-key': apiKey,
      project: encodeURIComponent(project),
      logstream: encodeURIComponent(logStream),
    };
    const otlp = new OTLPTraceExporter({ url: `${url}/v1/traces`, headers });
    const exporter = new RetryingExporter(otlp, giveUpAfterMs, onLost);
    const limits = { maxQueueSize: queueSize, maxExportBatchSize: Math.min(512, queueSize), scheduledDelayMillis: 1_000 };
    // The exporter ends by itself; a limit here would have the batch dropped that it still tries to deliver.
    const processor = new BatchSpanProcessor(exporter, { ...limits, exportTimeoutMillis: 2 * giveUpAfterMs });
    const resource = resourceFromAttributes({ 'service.name': project });
    this.#provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
    this.#tracer = this.#provider.getTracer('touchstone-client');
    // Spans nest through promises; an application that has a manager of its own keeps it.
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  }

  /** Runs a function inside a span: its return value is the output, what it throws the error, and spans made within are its children. */
  async span<T>(options: SpanOptions, work: (span: Span) => T | Promise<T>): Promise<T> {
    const span = this.#tracer.startSpan(options.name, { attributes: toAttributes(options) });
    try {
      const result = await context.with(traces.setSpan(context.active(), span), () => work(span));
      if (result !== undefined) span.setAttribute('output.value', toText(result));
      return result;
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
      throw error;
    } finally {
      span.end();
    }
  }

  flush(): Promise<void> {
    return this.#provider.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#provider.shutdown();
  }
}

function toAttributes({ type = 'workflow', input, sessionId, attributes }: SpanOptions) {
  return {
    'eval.span.type': type,
    'openinference.span.kind': KINDS[type],
    ...(input !== undefined && { 'input.value': toText(input) }),
    ...(sessionId !== undefined && { 'session.id': sessionId }),
    ...attributes,
  };
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
