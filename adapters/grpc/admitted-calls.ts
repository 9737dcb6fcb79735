import { type Metadata, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder } from '@grpc/grpc-js';
import type { Caller, Origin } from '../../core/access/caller.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { GrpcStatus } from './grpc-status.ts';
import { type ReadingLimits, ReadingTurns } from './reading-turns.ts';

export interface AdmittedCallsDeps {
  /** Rejects when the call is refused before anything of its message is read. */
  admit(metadata: Metadata, address: string): Promise<Caller>;
  toStatus(error: unknown, origin?: Origin): GrpcStatus;
  /** Told of each call that ends with a status of ours, whether it was admitted or not. */
  ended(facts: EndedCall): void;
  readonly limits?: Partial<CallLimits> | undefined;
}

/** For the log: no metadata and no message, each of which may hold a secret. */
export interface EndedCall {
  readonly path: string;
  readonly code: number;
  readonly ms: number;
  readonly address: string;
}

export interface CallLimits extends ReadingLimits {
  /** In which a message has to come, once it is read. */
  readonly messageMs: number;
}

const UNKNOWN = 2;
/** Eight times the largest message is as much as all bodies over HTTP may take together. */
const LIMITS: CallLimits = { atOnce: 8, atOnceOfUser: 4, waitingOfUser: 500, messageMs: 30_000 };

/** Knows who calls before a message is read, and lets messages be read in turns. */
export class AdmittedCalls {
  readonly #deps: AdmittedCallsDeps;
  readonly #limits: CallLimits;
  readonly #turns: ReadingTurns;
  readonly #callers = new WeakMap<Metadata, Caller>();

  constructor(deps: AdmittedCallsDeps) {
    this.#deps = deps;
    this.#limits = { ...LIMITS, ...deps.limits };
    this.#turns = new ReadingTurns(this.#limits);
  }

  /** Who sent this metadata, which the interceptor has let through. */
  callerOf(metadata: Metadata): Caller {
    return this.#callers.get(metadata)!;
  }

  readonly interceptor: ServerInterceptor = ({ path }, call) => {
    const began = performance.now();
    const address = call.getConnectionInfo().remoteAddress ?? 'unknown';
    const gone = new AbortController();
    let endTurn = (): void => {};
    const listener = new ServerListenerBuilder()
      // Nothing is read from the connection until the metadata is handed on.
      .withOnReceiveMetadata((metadata, next) => {
        this.#begin(metadata, address, gone.signal).then(
          ({ caller, end }) => {
            const late = setTimeout(
              () => admitted.sendStatus(this.#deps.toStatus(tooSlow(), caller.origin)),
              this.#limits.messageMs,
            );
            endTurn = () => {
              clearTimeout(late);
              end();
            };
            if (gone.signal.aborted) endTurn();
            else next(metadata);
          },
          (error: unknown) => admitted.sendStatus(this.#deps.toStatus(error)),
        );
      })
      .withOnReceiveMessage((message, next) => {
        endTurn();
        next(message);
      })
      .withOnCancel(() => {
        gone.abort(new AppError('timeout', 'call_cancelled', 'the call was cancelled'));
        endTurn();
      })
      .build();
    const admitted = new ServerInterceptingCall(call, {
      start: (next) => next(listener),
      sendStatus: (status, next) => {
        endTurn();
        this.#deps.ended({ path, code: status.code ?? UNKNOWN, ms: Math.round(performance.now() - began), address });
        next(status);
      },
    });
    return admitted;
  };

  async #begin(metadata: Metadata, address: string, signal: AbortSignal): Promise<{ caller: Caller; end: () => void }> {
    const caller = await this.#deps.admit(metadata, address);
    this.#callers.set(metadata, caller);
    return { caller, end: await this.#turns.begin(caller.user_id, signal) };
  }
}

const tooSlow = (): AppError => new AppError('timeout', 'body_too_slow', 'the message did not come in time');
