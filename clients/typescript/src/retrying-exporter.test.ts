import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { RetryingExporter } from './retrying-exporter.ts';

type Failure = { readonly code?: number };

/** Fails in these ways, one after the other, and then takes what it is given. */
function setUp(failures: readonly Failure[], giveUpAfterMs = 60_000) {
  const taken: unknown[] = [];
  const lost: number[] = [];
  const left = [...failures];
  const inner: SpanExporter = {
    export: (spans, done) => {
      const failure = left.shift();
      if (failure) return done({ code: 1, error: Object.assign(new Error('no'), failure) });
      taken.push(...spans);
      done({ code: 0 });
    },
    shutdown: async () => {},
  };
  const exporter = new RetryingExporter(inner, giveUpAfterMs, (spans) => void lost.push(spans));
  const span = {} as ReadableSpan;
  const send = () => new Promise<number>((resolve) => exporter.export([span], ({ code }) => resolve(code)));
  return { send, taken, lost };
}

it('offers a batch again while nobody is there or the service is busy', async () => {
  const { send, taken, lost } = setUp([{}, { code: 503 }, { code: 429 }]);
  expect(await send()).toBe(0);
  expect({ taken: taken.length, lost }).toEqual({ taken: 1, lost: [] });
});

it('gives a batch up that the service refuses for good, and tells', async () => {
  const { send, taken, lost } = setUp([{ code: 401 }]);
  expect(await send()).toBe(1);
  expect({ taken, lost }).toEqual({ taken: [], lost: [1] });
});

it('gives a batch up when its time is over, and tells', async () => {
  const { send, lost } = setUp([{}, {}], 1);
  expect(await send()).toBe(1);
  expect(lost).toEqual([1]);
});
