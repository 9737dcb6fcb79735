import { asClass, asFunction, asValue, type Resolver } from 'awilix';
import type { Route } from '../../adapters/http/route.ts';
import type { JobHandler } from '../../core/jobs/job-handler.ts';
import type { BackgroundWork } from '../process/background-loop.ts';
import type { Worker } from './worker.ts';

/** How one `T` is made from what its maker takes from the container: `Needs`, which only the compiler knows of. */
export interface Registration<T, Needs = unknown> extends Resolver<T> {
  readonly needs?: (needs: Needs) => void;
}

/** An instance of a class, constructed once per process. */
export const singleton = <T, Needs = unknown>(type: new (needs: Needs) => T): Registration<T, NoInfer<Needs>> =>
  asClass<T>(type).singleton();

/** Registers the result of a function, once per process. */
export const factory = <T, Needs = unknown>(make: (needs: Needs) => T): Registration<T, NoInfer<Needs>> =>
  asFunction<T>(make).singleton();

export const value = <T>(it: T): Registration<T> => asValue<T>(it) as Registration<T>;

/** Contributions of a capability. Whatever it holds is made from `Needs`, the contents of the container. */
export interface Capability<Needs = never> {
  readonly services?: Readonly<Record<string, Registration<unknown, Needs>>>;
  readonly routes?: readonly ((needs: Needs) => readonly Route[])[];
  /** Handlers of background jobs: one, or one for each installed plugin. */
  readonly jobs?: readonly Registration<JobHandler | readonly JobHandler[], Needs>[];
  /** Workers that take jobs from queues, in every process. */
  readonly workers?: readonly ((needs: Needs) => Worker)[];
  /** Periodic work; any number of processes may do it at once. */
  readonly background?: readonly ((needs: Needs) => BackgroundWork)[];
}

/** Checks the form of a capability and keeps the types of what is in it. */
export const capability = <const C extends Capability>(it: C): C => it;

/** Types that the registrations of a table make, by name. */
type Resolved<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Registration<infer T, never> ? T : never;
};

/** Intersection of the parameters of a union's functions. */
type Together<Takers> = [Takers] extends [(of: infer All) => void] ? All : never;

/** The services of capabilities, by name. */
export type Services<C extends Capability> = Together<
  C extends { services: infer Table } ? (of: Resolved<Table>) => void : never
>;

/** How each thing of a capability is made. */
type MakersOf<C> =
  | (C extends { services: infer Table } ? Table[keyof Table] : never)
  | (C extends { jobs: readonly (infer Job)[] } ? Job : never)
  | (C extends { workers: readonly (infer Start)[] } ? Start : never)
  | (C extends { background: readonly (infer Work)[] } ? Work : never);

type TakersOf<Maker> =
  Maker extends Registration<unknown, infer Needs>
    ? (needs: Needs) => void
    : Maker extends (needs: infer Needs) => unknown
      ? (needs: Needs) => void
      : never;

/** Intersection of everything that capabilities take from the container, routes left out. */
export type Needed<C extends Capability> = Together<TakersOf<MakersOf<C>>>;
