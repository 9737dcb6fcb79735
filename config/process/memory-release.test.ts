import { expect, it } from 'vitest';
import { type Engine, MemoryRelease, V8Engine } from './memory-release.ts';

const MIB = 1024 * 1024;

/** An engine whose heap holds `live` bytes once it was collected. */
function openEngine() {
  const state = { utilization: 0, heap: 140 * MIB, live: 70 * MIB, collections: 0 };
  const engine: Engine = {
    utilization: () => state.utilization,
    heapBytes: () => state.heap,
    collect: () => {
      state.collections += 1;
      state.heap = state.live;
    },
  };
  const release = new MemoryRelease(engine);
  const look = async (times: number): Promise<number> => {
    for (let at = 0; at < times; at += 1) expect(await release.work()).toBe(false);
    return state.collections;
  };
  return { state, look };
}

it('collects what the start has left once the process rests, and only once', async () => {
  const { state, look } = openEngine();
  expect(await look(1)).toBe(1);
  expect(await look(10)).toBe(1);
  expect(state.heap).toBe(state.live);
});

it('waits while there is work', async () => {
  const { state, look } = openEngine();
  state.utilization = 0.5;
  expect(await look(10)).toBe(0);
  state.utilization = 0.01;
  expect(await look(1)).toBe(1);
});

it('collects again when the heap has grown since', async () => {
  const { state, look } = openEngine();
  await look(1);
  state.heap = state.live + 63 * MIB;
  expect(await look(5)).toBe(1);
  state.heap = state.live + 64 * MIB;
  expect(await look(5)).toBe(2);
});

it('collects garbage of the process', async () => {
  const garbage = new WeakRef({ of: 'this test' });
  // Whoever looks at the reference keeps it to the end of that turn.
  await new Promise((settle) => setImmediate(settle));
  new V8Engine().collect();
  expect(garbage.deref()).toBeUndefined();
});
