import { context, type Span, SpanStatusCode, type Tracer, trace as traces } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { openContextManager } from '#context';
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
  /** The span around, where it is not the current one: in browsers the current span is known until the first `await`. */
  readonly parent?: Span;
}

export interface NewScore {
  readonly name: string;
  /** A text is a label. */
  readonly value: number | boolean | string;
  readonly explanation?: string;
  /** The current one unless given. */
  readonly span?: Span;
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
    // An application that has a manager of its own keeps it.
    context.setGlobalContextManager(openContextManager());
  }

  /** Runs a function inside a span: its return value is the output, what it throws the error, and spans made within are its children. */
  async span<T>(options: SpanOptions, work: (span: Span) => T | Promise<T>): Promise<T> {
    const around = options.parent ? traces.setSpan(context.active(), options.parent) : context.active();
    const span = this.#tracer.startSpan(options.name, { attributes: toAttributes(options) }, around);
    try {
      const result = await context.with(traces.setSpan(around, span), () => work(span));
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

  /** A score that the application computed: a metric of the current span, or of the one given. */
  score({ name, value, explanation, span = traces.getActiveSpan() }: NewScore): void {
    if (!span) throw new Error('touchstone: there is no current span to score');
    span.addEvent('gen_ai.evaluation.result', {
      'gen_ai.evaluation.name': name,
      [`gen_ai.evaluation.score.${typeof value === 'string' ? 'label' : 'value'}`]:
        typeof value === 'string' ? value : Number(value),
      ...(explanation !== undefined && { 'gen_ai.evaluation.explanation': explanation }),
    });
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
