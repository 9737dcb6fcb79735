import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectWithin } from '../setup/timing.ts';
import { startProbes } from './health-probe.ts';
import { moreAcknowledged, startLoad } from './ingest-load.ts';
import { residentBytes, watchMemory } from './memory-watch.ts';
import { computeCapacity, type OpenTold, openLoad } from './open-load.ts';
import {
  endEverything,
  makeDataDir,
  makeLogStream,
  type Place,
  percentile,
  print,
  type Service,
  search,
  startService,
} from './service.ts';

const SECONDS = Number(process.env.OVERLOAD_SECONDS ?? 10);
const TIMES = 3;
const CLIENTS = 32;
const WARM_UP_MS = 5_000;
const MEASURE_MS = 5_000;
/** Little, so that it is reached soon: what is refused depends on it, not on how fast the machine is. */
const IN_FLIGHT = 8 * 1024 * 1024;
const MEMORY_CAP = 512 * 1024 * 1024;
/** How often the rate may be doubled until there is more than it can take. */
const MORE = 3;
const PROBE_MS = 1_000;
const NORMAL_MS = 10_000;

let service: Service;
let place: Place;

beforeAll(async () => {
  service = await startService(await makeDataDir(), { MAX_BYTES_IN_FLIGHT: String(IN_FLIGHT), LOG_LEVEL: 'error' });
  place = await makeLogStream(service);
});
afterAll(endEverything);

interface Watched {
  readonly peak: number;
  readonly probes: number[];
  /** Probes that were not answered 200. */
  readonly bad: number;
}

/** Samples memory and the health probe until told to leave off. */
function watch(): { stop(): Promise<Watched> } {
  const memory = watchMemory(service);
  const health = startProbes(service.url);
  return {
    stop: async () => {
      const [{ ms: probes, bad }, peak] = await Promise.all([health.stop(), memory.stop()]);
      return { peak, probes, bad };
    },
  };
}

describe('at three times what it can do', { timeout: (SECONDS * 4 + 300) * 1000 }, () => {
  let told: OpenTold;
  let watched: Watched;
  let before: number;
  let rate: number;

  beforeAll(
    async () => {
      before = await residentBytes(service);
      await computeCapacity(service, place, CLIENTS, WARM_UP_MS);
      rate = TIMES * (await computeCapacity(service, place, CLIENTS, MEASURE_MS));
      const watching = watch();
      told = await offer();
      // Capacity changes with what else the machine has to do.
      for (let more = 0; more < MORE && !told.statuses.has(503); more += 1) {
        rate *= 2;
        told = await offer();
      }
      watched = await watching.stop();
      const mb = (bytes: number): number => Math.round(bytes / 1024 / 1024);
      const statuses = [...told.statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
      print(
        `P5: ${Math.round(rate)} requests/s for ${SECONDS} s: ${statuses}, ${told.unsent} found no connection; memory ${mb(before)} MB before, ${mb(watched.peak)} MB at most (cap ${mb(MEMORY_CAP)}); health probe p50 ${Math.round(percentile(watched.probes, 0.5))} ms, p99 ${Math.round(percentile(watched.probes, 0.99))} ms`,
      );
    },
    (SECONDS * 4 + 300) * 1000,
  );

  async function offer(): Promise<OpenTold> {
    place = await makeLogStream(service, place);
    return openLoad(service, place, rate, SECONDS * 1000);
  }

  it('refuses what it cannot take, says when to come again, and breaks nothing off', () => {
    expect([...told.statuses.keys()].filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(told.statuses.get(503) ?? 0).toBeGreaterThan(0);
    expect(told.mute).toBe(0);
  });

  it('has stored all that it took', async () => {
    const found = new Set((await search(service, place, 'traces')).map(({ id }) => id));
    const lost = [...told.acknowledged].filter((id) => !found.has(id));
    print(`P5: acknowledged ${told.acknowledged.size}, found ${found.size}, lost ${lost.length}`);
    expect(told.acknowledged.size).toBeGreaterThan(0);
    expect(lost).toEqual([]);
    expect(found.size).toBe(told.acknowledged.size);
  });

  it('stays within its memory, and returns the health probe', () => {
    expect(watched.peak).toBeLessThan(MEMORY_CAP);
    expect(watched.bad).toBe(0);
    expectWithin(PROBE_MS, percentile(watched.probes, 0.5));
  });

  it('is back to normal soon after', async () => {
    const began = performance.now();
    const after = await openLoad(service, place, 5, 2_000);
    expect([...after.statuses.keys()]).toEqual([200]);
    print(
      `P5: back to normal: ${after.statuses.get(200)} of ${after.sent} answered, slowest ${Math.round(Math.max(...after.ms))} ms`,
    );
    expectWithin(NORMAL_MS, performance.now() - began);
  });
});

describe('a load that waits for its answers', () => {
  it('would not show any of this: nothing of it is refused', async () => {
    const load = startLoad(service, await makeLogStream(service, place), 8);
    await moreAcknowledged(load, 200);
    expect((await load.stop()).refusals).toEqual([]);
  });
});
