import { AppError } from '../../core/kernel/errors.ts';
import type { OtlpLimits } from '../../core/otel/otlp-codec.ts';

/** Rest of the memory that one request may still take. A body of a few bytes per value can ask for far more memory than it takes itself. */
export class RequestBudget {
  readonly limits: OtlpLimits;
  #items = 0;
  #values = 0;
  #valuesBefore = 0;

  readonly #called: string;

  /** `called`: what errors call the items of the request. */
  constructor(limits: OtlpLimits, called = 'spans') {
    this.limits = limits;
    this.#called = called;
  }

  takeItem(): void {
    this.#items += 1;
    if (this.#items > this.limits.maxSpans) throw tooLarge(`more than ${this.limits.maxSpans} ${this.#called}`);
    this.takeValues(1);
    this.begin();
  }

  /** From here on values are those of one span, or resource. */
  begin(): void {
    this.#valuesBefore = this.#values;
  }

  /** The span has as many values as it may have. */
  get isSpanFull(): boolean {
    return this.#values - this.#valuesBefore > this.limits.maxValuesPerSpan;
  }

  takeValues(count: number): void {
    this.#values += count;
    if (this.#values > this.limits.maxValues) throw tooLarge(`more than ${this.limits.maxValues} values`);
  }
}

const tooLarge = (message: string): AppError => new AppError('too_large', 'otlp_request_too_large', message);

export const isMalformed = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'otlp_request_malformed';

export const malformed = (message: string, cause?: unknown): AppError =>
  new AppError('invalid', 'otlp_request_malformed', message, { cause });
