import type { GaugeSource } from '../../adapters/http/metrics.ts';
import type { AppError } from '../../core/kernel/errors.ts';
import type { Log } from '../../core/kernel/ports.ts';
import type { SelfTracer } from '../../core/kernel/self-tracer.ts';
import type { Adapters, Cradle, Registrations } from '../cradle.ts';
import type { Config } from '../env.ts';
import type { ShutdownSequence } from '../process/shutdown-sequence.ts';

/** Where the service keeps its data, opened and set up. */
export interface Storage {
  isReady(): Promise<boolean>;
  /** Why every request that needs it would fail now; undefined when it is there. */
  failure(): AppError | undefined;
  /** Reads failures of its adapters; undefined for those it does not know. */
  explainFailure(error: unknown): AppError | undefined;
  /** Its figures for Prometheus. */
  readonly gauges: readonly GaugeSource[];
  /** Calls back, with the reason, when it is gone and cannot be had again. */
  onGone(listener: (why: string) => void): void;
}

export interface StorageContext {
  readonly config: Config;
  readonly log: Log;
  readonly selfTracer: SelfTracer;
  /** Ends what was opened, also when opening failed half-way. */
  readonly shutdown: ShutdownSequence;
}

/** The service, wired and with what it starts with, before anybody can reach it. */
export interface Service {
  readonly cradle: Cradle;
  /** Notice to the operator about the first start. */
  readonly notice: string | undefined;
}

/** Wires the service on the adapters and prepares what it starts with. No other instance does so at the same time. */
export type SetUp = (adapters: Registrations<Adapters>) => Promise<Service>;

export interface Opened {
  readonly storage: Storage;
  readonly service: Service;
}

/** How long jobs under way are waited for at the end, in milliseconds. */
export const JOBS_MS = 5_000;
