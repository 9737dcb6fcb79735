import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/** As OpenTelemetry numbers it. */
const SUCCESS = 0;

/** Milliseconds. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** Refusals that say "later"; anything else of 4xx will be refused for ever. */
const LATER = new Set([408, 429, 502, 503, 504]);

/**
 * Hands spans to another exporter until it takes them, so that a restart of the service loses nothing. What comes meanwhile waits in the
 * bounded queue before it. Gives a batch up after `giveUpAfterMs`, or when the service refuses it for good.
 */
export class RetryingExporter implements SpanExporter {
  readonly #inner: SpanExporter;
  readonly #giveUpAfterMs: number;
  readonly #onLost: (spans: number, why: unknown) => void;
  #stopped = false;

  constructor(inner: SpanExporter, giveUpAfterMs: number, onLost: (spans: number, why: unknown) => void) {
    this.#inner = inner;
    this.#giveUpAfterMs = giveUpAfterMs;
    this.#onLost = onLost;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    void this.#deliver(spans).then(done);
  }

  async #deliver(spans: ReadableSpan[]): Promise<ExportResult> {
    const deadline = Date.now() + this.#giveUpAfterMs;
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
      const result = await new Promise<ExportResult>((resolve) => this.#inner.export(spans, resolve));
      if (result.code === SUCCESS) return result;
      if (!isLater(result.error) || this.#stopped || Date.now() + wait > deadline) {
        this.#onLost(spans.length, result.error);
        return result;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  async forceFlush(): Promise<void> {
    await this.#inner.forceFlush?.();
  }

  /** The batch under way has had its last attempt. */
  async shutdown(): Promise<void> {
    this.#stopped = true;
    await this.#inner.shutdown();
  }
}

/** No status at all: nobody was reached. */
function isLater(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return typeof code !== 'number' || LATER.has(code);
}
