import type { Route } from '../adapters/http/route.ts';
import type { JobHandler } from '../core/jobs/job-handler.ts';
import type { Given } from './given.ts';
import type { CAPABILITIES } from './wiring/capabilities.ts';
import type { Needed, Registration, Services } from './wiring/registration.ts';

type Wired = (typeof CAPABILITIES)[number];

/** What all capabilities bring, as one list. */
export interface Collected {
  readonly routes: readonly Route[];
  readonly jobHandlers: readonly JobHandler[];
}

/** What capabilities provide for each other, what is given at start, and the lists of all. */
type Provided = Services<Wired> & Given & Collected;

/** What capabilities need and none of them provides: the stores and queues, by the ports that they serve. */
export type Adapters = Omit<Needed<Wired>, keyof Provided>;

/** All that the container holds. */
export type Cradle = Provided & Adapters;

export type Registrations<T> = { readonly [Name in keyof T]: Registration<T[Name], never> };
