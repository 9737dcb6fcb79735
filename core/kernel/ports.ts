/** The present moment. */
export type Clock = () => Date;

/** A new random id: UUID version 4, as clients type every id. */
export type NewId = () => string;

/** Structured log lines. Fields MUST NOT hold a secret or a request body. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Several writes that stand or fall together. */
export interface Transactions {
  /**
   * Runs `work`; what it writes through any store of the same adapter is kept only when it resolves.
   * A run inside a run joins the outer one.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}
