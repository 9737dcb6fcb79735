import { describe, expect, it } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import type { OtelTraceStore } from './otel-trace-store.ts';
import { TraceAssembler } from './trace-assembler.ts';

/** A store that says what it was asked for, and takes as long as it is told. */
function slowStore(fails: (ids: readonly string[]) => unknown = () => undefined) {
  const asked: string[][] = [];
  const open: (() => void)[] = [];
  const otelTraceStore: OtelTraceStore = {
    standings: async () => new Map(),
    reassemble: async (_project, _run, ids) => {
      asked.push([...ids]);
      await new Promise<void>((resolve) => open.push(resolve));
      const error = fails(ids);
      if (error) throw error;
    },
  };
  const next = async () => {
    for (let turn = 0; turn < 20 && open.length === 0; turn += 1) await Promise.resolve();
    open.shift()?.();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return { traceAssembler: new TraceAssembler({ otelTraceStore }), asked, next };
}

describe('making traces anew', () => {
  it('is done once for all who asked while it was under way, and after they asked', async () => {
    const { traceAssembler, asked, next } = slowStore();
    const done: string[] = [];
    const ask = (name: string, ...ids: string[]) => void traceAssembler.reassemble('p', 'r', ids).then(() => done.push(name));
    ask('first', 'a');
    for (let at = 0; at < 10; at += 1) ask(`later ${at}`, 'a', 'b');
    await next();
    expect(done).toEqual(['first']);
    await next();
    expect(done).toHaveLength(11);
    expect(asked).toEqual([['a'], ['a', 'b']]);
  });

  it('waits for no other run', async () => {
    const { traceAssembler, asked } = slowStore();
    void traceAssembler.reassemble('p', 'r', ['a']);
    void traceAssembler.reassemble('p', 'other', ['a']);
    expect(asked).toHaveLength(2);
  });

  it('takes so many at a time', async () => {
    const { traceAssembler, asked, next } = slowStore();
    const ids = Array.from({ length: 250 }, (_, at) => `${at}`);
    const done = traceAssembler.reassemble('p', 'r', ids);
    for (let time = 0; time < 3; time += 1) await next();
    await done;
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(asked.flat()).toEqual(ids);
  });

  it('lets a bad trace fail alone', async () => {
    const { traceAssembler, next } = slowStore((ids) => ids.includes('bad') && new Error('cannot be'));
    const good = traceAssembler.reassemble('p', 'r', ['a']);
    const several = Promise.allSettled([
      traceAssembler.reassemble('p', 'r', ['bad']),
      traceAssembler.reassemble('p', 'r', ['b']),
    ]);
    for (let time = 0; time < 4; time += 1) await next();
    await good;
    expect((await several).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('tries nothing one by one while nothing can succeed', async () => {
    const { traceAssembler, asked, next } = slowStore(() => new AppError('unavailable', 'write_queue_full', 'down'));
    const outcome = Promise.allSettled([traceAssembler.reassemble('p', 'r', ['a', 'b', 'c'])]);
    await next();
    expect((await outcome)[0]!.status).toBe('rejected');
    expect(asked).toHaveLength(1);
  });

  it('goes on after a failure', async () => {
    const { traceAssembler, next } = slowStore((ids) => ids.includes('bad') && new Error('cannot be'));
    const bad = Promise.allSettled([traceAssembler.reassemble('p', 'r', ['bad'])]);
    await next();
    await bad;
    const good = traceAssembler.reassemble('p', 'r', ['a']);
    await next();
    await good;
  });
});
