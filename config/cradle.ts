import type { Route } from '../adapters/http/route.ts';
import type { JobHandler } from '../core/jobs/job-handler.ts';
import type { Given } from './given.ts';
import type { CAPABILITIES } from './wiring/capabilities.ts';
import type { Needed, Registration, Services } from './wiring/registration.ts';

type Wired = (typeof CAPABILITIES)[number];

/** Contributions of all capabilities, as one list each. */
export interface Collected {
  readonly routes: readonly Route[];
  readonly jobHandlers: readonly JobHandler[];
}

/** Everything that capabilities provide for each other or that is given at start, and the lists of all. */
type Provided = Services<Wired> & Given & Collected;

/** Dependencies of capabilities that none of them provides: the stores and queues, by the ports that they serve. */
export type Adapters = Omit<Needed<Wired>, keyof Provided>;

/** All that the container holds. */
export type Cradle = Provided & Adapters;

export type Registrations<T> = { readonly [Name in keyof T]: Registration<T[Name], never> };
