import { CircuitOpenError } from '../integrations/provider-failure.ts';
import { DeadlineExceeded, withDeadline } from '../kernel/deadline.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import { PluginError } from '../plugin-sdk/index.ts';
import { type Admission, CircuitBreaker, type CircuitState } from './circuit-breaker.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

export interface ProviderCallsDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** Target of a call: an integration as it is set now. */
export interface CallTarget {
  readonly id: string;
  readonly provider: string;
  /** Settings that have changed get a circuit breaker of their own: what failed with the old ones says nothing. */
  readonly updated_at: string;
}

export interface ProviderCall<T> {
  /** Whose call it is: slots are handed out to owners in turns. */
  readonly owner: string;
  /** How long the provider may take, in milliseconds. */
  readonly deadlineMs: number;
  /** How long the call may wait for a slot, in milliseconds; as long as it takes where absent. */
  readonly maxWaitMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Digest of what is asked. Failures of one question count once for the circuit breaker. Absent for calls that are no completion,
   * such as a list of models: those may fail while it recovers, but do not close it.
   */
  readonly question?: string;
  /** Runs when the call has its slot and is admitted; what it rejects with says nothing of the provider. */
  readonly prepare?: () => Promise<void>;
  call(signal: AbortSignal): Promise<T>;
}

interface Guards {
  readonly limiter: ConcurrencyLimiter;
  readonly breaker: CircuitBreaker;
}

interface Upstream extends Guards {
  readonly updated_at: string;
}

const MAX_KEPT = 10_000;
const NOT_ABORTED = new AbortController().signal;

/**
 * Bulkhead of each integration: every call of its provider, of whatever use, passes the same concurrency limiter and the same circuit
 * breaker, under a deadline. In this process only.
 */
export class ProviderCalls {
  readonly #deps: ProviderCallsDeps;
  readonly #upstreams = new Map<string, Upstream>();

  constructor(deps: ProviderCallsDeps) {
    this.#deps = deps;
  }

  /**
   * Makes one call, once. Rejects with CircuitOpenError without making it when the circuit breaker is open, with the signal's
   * reason when that is aborted, with what `prepare` rejects with, else with a PluginError.
   */
  async attempt<T>(target: CallTarget, call: ProviderCall<T>): Promise<T> {
    const upstream = this.#upstreamOf(target);
    // Nobody waits for a slot only to be refused then.
    if (upstream.breaker.stateAt(this.#now()) === 'open') throw this.#openError(target, upstream);
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, call.signal ?? NOT_ABORTED]);
    const timer =
      call.maxWaitMs === undefined ? undefined : setTimeout(() => stop.abort(tooManyCalls(target.provider)), call.maxWaitMs);
    try {
      return await upstream.limiter.run(call.owner, signal, () => {
        clearTimeout(timer);
        return this.#admitted(target, upstream, call);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  circuitOf(integration_id: string): CircuitState {
    return this.#upstreams.get(integration_id)?.breaker.stateAt(this.#now()) ?? 'closed';
  }

  /** Integrations whose circuit breaker is not closed. */
  tripped(): number {
    const now = this.#now();
    return this.#upstreams.values().reduce((sum, { breaker }) => sum + (breaker.stateAt(now) === 'closed' ? 0 : 1), 0);
  }

  async #admitted<T>(target: CallTarget, upstream: Upstream, call: ProviderCall<T>): Promise<T> {
    const { breaker } = upstream;
    const admission = call.question === undefined ? breaker.admitProbe(this.#now()) : breaker.admit(this.#now());
    if (admission.retryAfterMs !== undefined) throw new CircuitOpenError(target.provider, admission.retryAfterMs);
    try {
      await call.prepare?.();
    } catch (error) {
      breaker.onCancel(admission);
      throw error;
    }
    return this.#made(target, { limiter: upstream.limiter, breaker }, call, admission);
  }

  async #made<T>(target: CallTarget, guards: Guards, call: ProviderCall<T>, admission: Admission): Promise<T> {
    const { deadlineMs: ms, signal } = call;
    const { breaker, limiter } = guards;
    try {
      const result = await withDeadline({ ms, ...(signal && { signal }) }, (inTime) => call.call(inTime));
      limiter.onSuccess();
      breaker.onSuccess(admission);
      return result;
    } catch (error) {
      if (signal?.aborted) {
        breaker.onCancel(admission);
        throw signal.reason;
      }
      const failure = toFailure(error);
      this.#onFailure(target, guards, { failure, admission, question: call.question ?? '' });
      throw failure;
    }
  }

  #onFailure(
    target: CallTarget,
    guards: Guards,
    { failure, admission, question }: { failure: PluginError; admission: Admission; question: string },
  ): void {
    const { breaker, limiter } = guards;
    const { id, provider } = target;
    this.#deps.log.warn('a model provider failed', {
      integration_id: id,
      provider,
      failure: failure.failure,
      reason: failure.message,
    });
    if (failure.failure === 'rate_limited') limiter.onThrottle();
    if (failure.failure !== 'unavailable') {
      breaker.onSuccess(admission);
      return;
    }
    breaker.onFailure(this.#now(), question, { timedOut: failure.cause instanceof DeadlineExceeded, ...admission });
    if (breaker.stateAt(this.#now()) === 'open') limiter.rejectWaiting(this.#openError(target, guards));
  }

  #openError({ provider }: CallTarget, { breaker }: Guards): CircuitOpenError {
    return new CircuitOpenError(provider, breaker.openMsAt(this.#now()));
  }

  #upstreamOf({ id, updated_at }: CallTarget): Upstream {
    const known = this.#upstreams.get(id);
    const isCurrent = known !== undefined && known.updated_at >= updated_at;
    const limiter = known?.limiter ?? new ConcurrencyLimiter();
    const upstream = isCurrent ? known : { limiter, breaker: new CircuitBreaker(), updated_at };
    this.#upstreams.delete(id);
    this.#upstreams.set(id, upstream);
    if (this.#upstreams.size > MAX_KEPT) this.#forgetOne();
    return upstream;
  }

  /** The one that was used longest ago, of those that no call is under way of: a limit must not be forgotten while it holds. */
  #forgetOne(): void {
    for (const [id, { limiter }] of this.#upstreams) {
      if (!limiter.isIdle) continue;
      this.#upstreams.delete(id);
      return;
    }
  }

  #now(): number {
    return this.#deps.clock().getTime();
  }
}

/** All providers' code throws PluginErrors; what else comes out of a call is its deadline, or a fault that says nothing. */
function toFailure(error: unknown): PluginError {
  if (error instanceof PluginError) return error;
  const message = error instanceof DeadlineExceeded ? error.message : 'the call failed';
  return new PluginError('unavailable', message, { cause: error });
}

const tooManyCalls = (provider: string): PluginError =>
  new PluginError('unavailable', `${provider}: too many calls are waiting for this integration`);
