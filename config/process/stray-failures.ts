import { stackOf } from '../../core/kernel/failure.ts';
import type { Log, WorkContext } from '../../core/kernel/ports.ts';
import { PLUGIN } from '../plugin-scope.ts';

export interface StrayFailuresDeps {
  readonly log: Log;
  readonly context: WorkContext;
  /** Ends the process in order. */
  crash(why: string): void;
}

/** Lines for one owner in a minute: a timer of a plugin may fail a thousand times a second. */
const LINES_A_MINUTE = 10;
const MINUTE_MS = 60_000;

interface Told {
  since: number;
  lines: number;
}

/**
 * Owns the failures that nobody caught, and says what they may end. A promise that was rejected without a handler is a call whose
 * end nobody waited for: logged, and no more. An exception in the course of a plugin's work is the plugin's: logged, and no more.
 * Any other exception broke off code of the service at an unknown place: the process ends, in order, and is started anew by
 * whoever watches over it.
 */
export class StrayFailures {
  readonly #deps: StrayFailuresDeps;
  readonly #told = new Map<string, Told>();
  #redact = (text: string): string => text;

  constructor(deps: StrayFailuresDeps) {
    this.#deps = deps;
  }

  /** Takes secrets out of what is logged from now on; there are none before integrations can be opened. */
  redactBy(redact: (text: string) => string): void {
    this.#redact = redact;
  }

  watch(events: Pick<NodeJS.Process, 'on'>): void {
    events.on('uncaughtException', (error) => this.exception(error));
    events.on('unhandledRejection', (reason) => this.rejection(reason));
  }

  rejection(reason: unknown): void {
    this.#tell('a promise was rejected, and nobody waited for it', reason);
  }

  exception(error: unknown): void {
    if (PLUGIN in this.#deps.context.current()) this.#tell('a plugin threw where nobody catches', error);
    else this.#deps.crash(stackOf(error));
  }

  #tell(message: string, error: unknown): void {
    const facts = this.#deps.context.current();
    const owner = facts[PLUGIN] ?? '';
    const now = Date.now();
    const known = this.#told.get(owner);
    const told = known && now - known.since < MINUTE_MS ? known : { since: now, lines: 0 };
    this.#told.set(owner, told);
    told.lines += 1;
    if (told.lines > LINES_A_MINUTE) return;
    const more = told.lines === LINES_A_MINUTE ? { silent_seconds: Math.ceil((told.since + MINUTE_MS - now) / 1_000) } : {};
    this.#deps.log.error(message, { ...facts, ...more, error: this.#redact(stackOf(error)) });
  }
}
