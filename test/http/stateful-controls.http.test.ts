import { describe, expect, it } from 'vitest';
import type { Route } from '../../adapters/http/route.ts';
import { checkStateful } from '../fuzz/stateful/run-stateful.ts';
import { startTestServer } from './harness.ts';

type Handle = Route['handle'];

/** One fault each, in one operation. */
const FAULTS: Readonly<Record<string, readonly [operationId: string, breakIt: (handle: Handle) => Handle, found: RegExp]>> = {
  'said that it deletes, and did not': ['deleteTemplate', () => async () => ({ message: 'deleted' }), /answered 200 and not 404/],
  'kept no change': [
    'updateGroup',
    (handle) => (input) => handle({ ...input, body: {} as never }),
    /(visibility|name|description) is not what it was set to/,
  ],
  'made one thing twice': [
    'createExperiment',
    (handle) => async (input) => {
      await handle(input);
      return handle(input);
    },
    /name is not what it was set to/,
  ],
  'lost a row': ['editDatasetContent', () => async () => undefined, /the content of a dataset is not what was added/],
};

describe('an operation', () => {
  it.each(Object.entries(FAULTS))('would be found out if it %s', async (_, [operationId, breakIt, found]) => {
    const mounted = (routes: readonly Route[]) =>
      routes.map((route) => (route.operationId === operationId ? { ...route, handle: breakIt(route.handle) } : route));
    const server = await startTestServer({ mounted });
    try {
      await expect(checkStateful(server, { seed: 1, numRuns: 60 })).rejects.toThrow(found);
    } finally {
      await server.close();
    }
  });
});
