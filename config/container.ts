import { type AwilixContainer, createContainer } from 'awilix';
import type { Adapters, Cradle, Registrations } from './cradle.ts';
import type { Given } from './given.ts';
import type { BackgroundWork } from './process/background-loop.ts';
import { CAPABILITIES } from './wiring/capabilities.ts';
import { maskedAdapters } from './wiring/masked-adapters.ts';
import { type Capability, factory, type Registration, value } from './wiring/registration.ts';
import type { Worker } from './wiring/worker.ts';

export type Container = AwilixContainer<Cradle>;

/** The compiler proves here that the container holds whatever any of the capabilities takes from it. */
const capabilities: readonly Capability<Cradle>[] = CAPABILITIES;

/** Wires the service on the given adapters. Every name is resolved at once, so nothing waits for the first request to fail. */
export function buildContainer(
  given: Given,
  adapters: Registrations<Adapters>,
  overrides: Partial<Registrations<Cradle>> = {},
): Container {
  const container = createContainer<Cradle>({ strict: true });
  const collected = {
    routes: factory((cradle: Cradle) => capabilities.flatMap(({ routes = [] }) => routes.flatMap((make) => make(cradle)))),
    jobHandlers: factory(() => capabilities.flatMap(({ jobs = [] }) => jobs.flatMap((job) => container.build(job)))),
  };
  const values = Object.fromEntries(Object.entries(given).map(([name, it]) => [name, value(it)]));
  const registrations = {
    ...union([maskedAdapters(adapters), values, collected, ...capabilities.map(({ services = {} }) => services)]),
    ...overrides,
  };
  container.register(registrations);
  for (const name of Object.keys(registrations)) container.resolve(name);
  return container;
}

/** Lists the background work of all capabilities. */
export const backgroundWork = (cradle: Cradle): BackgroundWork[] =>
  capabilities.flatMap(({ background = [] }) => background.map((make) => make(cradle)));

export const workers = (cradle: Cradle): Worker[] =>
  capabilities.flatMap(({ workers = [] }) => workers.map((make) => make(cradle)));

/** The tables as one. Throws an Error when two hold the same name: one of them would be lost without a word. */
export function union(
  tables: readonly Readonly<Record<string, Registration<unknown, never>>>[],
): Record<string, Registration<unknown, never>> {
  const all = tables.flatMap((table) => Object.entries(table));
  const twice = all.map(([name]) => name).filter((name, place, names) => names.indexOf(name) !== place);
  if (twice.length > 0) throw new Error(`registered more than once: ${twice.join(', ')}`);
  return Object.fromEntries(all);
}
