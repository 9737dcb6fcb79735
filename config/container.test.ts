import { expect, it } from 'vitest';
import { union } from './container.ts';
import { CAPABILITIES } from './wiring/capabilities.ts';
import { type Capability, value } from './wiring/registration.ts';

it('registers the services of all capabilities', () => {
  const tables = CAPABILITIES.map((one: Capability) => one.services ?? {});
  expect(Object.keys(union(tables))).toEqual(expect.arrayContaining(['traceService', 'scoringService', 'clock']));
});

it('refuses a name that two capabilities register, and says which', () => {
  expect(() => union([{ clock: value(1), log: value(2) }, { clock: value(3) }])).toThrow('registered more than once: clock');
});
