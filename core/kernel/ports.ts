/** The current time. */
export type Clock = () => Date;

/** A new random id: UUID version 4, as clients type every id. */
export type NewId = () => string;

/** Structured log lines. Fields MUST NOT hold a secret or a request body. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Facts of the work under way, for log lines: `request_id`, `job_id`, `plugin` and the like. */
export type WorkFacts = Readonly<Record<string, string>>;

/** In the course of which work something happens: follows calls, promises, timers and event handlers on its own. */
export interface WorkContext {
  /** Adds the facts to those that hold already, for `work` and all that it sets off. */
  run<T>(facts: WorkFacts, work: () => T): T;
  /** Takes the named facts away for `work`: what it sets off is not the doing of whoever called. */
  runWithout<T>(names: readonly string[], work: () => T): T;
  /** Empty outside of any work. */
  current(): WorkFacts;
}

/** Several writes that stand or fall together. */
export interface Transactions {
  /**
   * Runs `work`; what it writes through any store of the same adapter is kept only when it resolves.
   * A run inside a run joins the outer one.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}
