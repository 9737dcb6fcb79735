/** Header with the installation whose spans a request brings, so that it does not take its own. */
export const SELF_TRACE_HEADER = 'x-touchstone-self-trace';

/** Facts of a span: kinds, names of the service's own, counts and ids. Never anything that customers have sent. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** Span of a request, which begins before it is known what it asks for. */
export interface RequestSpan {
  /** All that `work` sets off is inside of the span. */
  run<T>(work: () => T): T;
  /** Names and ends the span. It has failed where the status is 500 and above. */
  end(name: string, status: number, facts: SpanFacts): void;
}

/** Spans of the service's own work, for whoever operates it. */
export interface SelfTracer {
  /** Does the work inside a span, below the one that it is asked in. A rejection passes through, and marks the span as failed by its kind. */
  span<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T>;
  /** As `span`, in a trace of its own: for work that several requests share. */
  rootSpan<T>(name: string, facts: SpanFacts, work: () => Promise<T>): Promise<T>;
  /** Below the span that the header `traceparent` of the caller names, where there is one. */
  beginRequest(traceparent: string | undefined): RequestSpan;
}

/** Does the work and nothing else. */
export const NO_SELF_TRACER: SelfTracer = {
  span: (_name, _facts, work) => work(),
  rootSpan: (_name, _facts, work) => work(),
  beginRequest: () => ({ run: (work) => work(), end: () => {} }),
};
