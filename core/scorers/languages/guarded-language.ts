import { DeadlineExceeded, withDeadline } from '../../kernel/deadline.ts';
import { isDefect, stackOf } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/ports.ts';
import {
  type CodeCall,
  type CodeFlaw,
  type CodeInput,
  type CodeLanguage,
  type CodeLimits,
  type CodeOutcome,
  type HostSandbox,
  PluginError,
} from '../../plugin-sdk/index.ts';
import type { CodeSandbox, SandboxUse } from '../scoring/code-sandbox.ts';
import { codeFlawIn, outcomesIn } from './code-outcomes.ts';
import { sourceFlaw } from './code-sources.ts';
import { toHostSandbox } from './host-sandbox.ts';
import { TimeAllowance } from './time-allowance.ts';

/** How long a call may take beyond what its records may, such as for starting a process. */
const START_MS = 20_000;

export interface GuardedLanguageDeps {
  /** The id of the plugin, and the first of its extensions. */
  readonly id: string;
  readonly extension: string;
  readonly limits: CodeLimits;
  readonly sandbox: CodeSandbox;
  readonly log: Log;
  readonly open: () => CodeLanguage;
}

/**
 * A code language of a plugin, behind the boundary between it and the service: calls end in time and with their signal, whether the
 * plugin heeds these or not; outcomes are read by a schema; what the plugin throws is a PluginError or an error of the sandbox.
 */
export class GuardedLanguage {
  readonly #deps: GuardedLanguageDeps;

  constructor(deps: GuardedLanguageDeps) {
    this.#deps = deps;
  }

  /** Why the program is refused, with the place; undefined when it is not. */
  async check(source: string, use: SandboxUse): Promise<string | undefined> {
    const { limits, extension } = this.#deps;
    const flaw = sourceFlaw(source, limits.source_bytes);
    if (flaw !== undefined) return flaw;
    const given = await this.#call(source, use, 1, (language, call) => language.check(call));
    if (given instanceof DeadlineExceeded) return `the scorer was not checked within ${limits.run_ms} ms`;
    return placed(codeFlawIn(given, this.#log('gave a flaw of an unknown shape'), limits), extension);
  }

  /** One outcome per record. Rejects as `CodeSandbox.run`, and with a PluginError when the plugin fails. */
  async run(source: string, inputs: readonly CodeInput[], use: SandboxUse): Promise<CodeOutcome[]> {
    const { limits } = this.#deps;
    const message = sourceFlaw(source, limits.source_bytes);
    if (message !== undefined) return inputs.map(() => ({ kind: 'refused', message }));
    let isTold = false;
    const stopAfter = (outcome: CodeOutcome): CodeOutcome | undefined => {
      isTold = true;
      return use.verdictAfter?.(outcome);
    };
    const watched: SandboxUse = { ...use, verdictAfter: stopAfter };
    const given = await this.#call(source, watched, inputs.length, (language, call) =>
      language.run({ ...call, inputs, stopAfter }),
    );
    if (given instanceof DeadlineExceeded) {
      const late: CodeOutcome = { kind: 'timed_out', message: `the scorer ran longer than ${limits.run_ms} ms a record` };
      return judgeLate(
        inputs.map(() => late),
        use,
      );
    }
    const outcomes = outcomesIn(given, inputs.length, this.#log('gave outcomes of an unknown shape'), limits);
    return isTold ? outcomes : judgeLate(outcomes, use);
  }

  async #call<T>(
    source: string,
    use: SandboxUse,
    records: number,
    call: (language: CodeLanguage, call: CodeCall) => Promise<T>,
  ): Promise<T | DeadlineExceeded> {
    const { limits, open } = this.#deps;
    const time = new TimeAllowance(limits.run_ms * (records + 1) + START_MS);
    const caller = use.signal ?? new AbortController().signal;
    const failures: unknown[] = [];
    const sandbox = this.#provide(use, time, failures);
    try {
      const { project_id, scorer_id } = use;
      const signal = AbortSignal.any([caller, time.signal]);
      return await withDeadline({ signal }, (ended) =>
        call(open(), { source, limits, signal: ended, project_id, scorer_id, sandbox }),
      );
    } catch (error) {
      caller.throwIfAborted();
      if (time.signal.aborted) return this.#late(time.signal.reason);
      throw failures.includes(error) ? error : this.#failure(error);
    } finally {
      time.close();
    }
  }

  /** Provides the sandbox to a language. The sandbox's own rejections pass; time in it does not count. */
  #provide(use: SandboxUse, time: TimeAllowance, failures: unknown[]): HostSandbox {
    const { id, sandbox } = this.#deps;
    const run: CodeSandbox['run'] = async (...given) => {
      try {
        return await time.pauseFor(() => sandbox.run(...given));
      } catch (error) {
        failures.push(error);
        throw error;
      }
    };
    return toHostSandbox({ run }, id, use);
  }

  #late(reason: DeadlineExceeded): DeadlineExceeded {
    this.#deps.log.warn('a code language took longer than its records may', { plugin: this.#deps.id });
    return reason;
  }

  #failure(error: unknown): unknown {
    if (error instanceof PluginError) return error;
    const { id, log } = this.#deps;
    log.error('the plugin of a code language failed', { plugin: id, error: stackOf(error) });
    const name = error instanceof Error ? error.name : typeof error;
    return new PluginError(isDefect(error) ? 'bad_reply' : 'unavailable', `the code language "${id}" failed (${name})`);
  }

  #log(what: string): (flaw: string) => void {
    return (flaw) => this.#deps.log.error(`the plugin of a code language ${what}`, { plugin: this.#deps.id, flaw });
  }
}

/** For a language that told nobody of outcomes as they came: strikes count all the same. */
function judgeLate(outcomes: CodeOutcome[], { verdictAfter }: SandboxUse): CodeOutcome[] {
  let verdict: CodeOutcome | undefined;
  return outcomes.map((outcome) => {
    if (verdict) return verdict;
    verdict = verdictAfter?.(outcome);
    return outcome;
  });
}

const placed = (flaw: CodeFlaw | undefined, extension: string): string | undefined => {
  if (flaw?.line === undefined) return flaw?.message;
  const column = flaw.column === undefined ? '' : `:${flaw.column}`;
  return `${flaw.message} (scorer${extension}:${flaw.line}${column})`;
};
