import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchService, withBenchService } from '../bench-service.ts';
import { inRounds, interruption } from '../interruption.ts';
import type { Measured } from '../report.ts';
import { BATCH, type Stretch, sendTraffic } from './traffic.ts';

const STRETCH: Stretch = { route: 'json', sessions: 'none', tracesPerRequest: BATCH, connections: 16 };
const WARM_UP_MS = 3_000;
const LIMIT_MS = 600_000;
const LOOK_EVERY_MS = 100;

interface Round {
  /** Spans a second until all of them were indexed. */
  readonly sustained: number;
  /** How long the index went on after the last acknowledgement. */
  readonly lagSeconds: number;
  readonly microsPerSpan: number;
}

/** From sent to found: ingest with the index behind it, against ingest alone (`ROLE=api`), each on a service of its own. */
export async function measureSustained(rounds: number, forMs: number): Promise<Measured[]> {
  const alone = await withBenchService((benchService) => ingestAlone(benchService, rounds, forMs), {
    environment: { ROLE: 'api' },
  });
  const whole = await withBenchService((benchService) => ingestAndIndex(benchService, rounds, forMs));
  return [
    {
      name: `JSON, ${BATCH} traces a request, c=16, until the last span is indexed`,
      unit: 'spans/s',
      ours: whole.map(({ sustained }) => sustained),
      against: { name: 'ingest alone', values: alone },
      target: { better: 'higher', reach: 0.6, aim: 0.85 },
    },
    {
      name: `index lag after ${Math.round(forMs / 1000)} s at full speed`,
      unit: 's',
      ours: whole.map(({ lagSeconds }) => lagSeconds),
      target: { better: 'lower', reach: 2 },
    },
    {
      name: 'processor time of the service, index and all',
      unit: 'us/span',
      ours: whole.map(({ microsPerSpan }) => microsPerSpan),
    },
  ];
}

async function ingestAlone(benchService: BenchService, rounds: number, forMs: number): Promise<number[]> {
  await sendTraffic(benchService, STRETCH, WARM_UP_MS);
  return inRounds(rounds, async () => {
    const { rows, ms } = await sendTraffic(benchService, STRETCH, forMs);
    return (rows / ms) * 1000;
  });
}

async function ingestAndIndex(benchService: BenchService, rounds: number, forMs: number): Promise<Round[]> {
  await sendTraffic(benchService, STRETCH, WARM_UP_MS);
  await untilIndexed(benchService);
  return inRounds(rounds, async () => {
    const before = await benchService.api.cpuSeconds();
    const { rows, ms } = await sendTraffic(benchService, STRETCH, forMs);
    const lagSeconds = await untilIndexed(benchService);
    const seconds = (await benchService.api.cpuSeconds()) - before;
    return { sustained: rows / (ms / 1000 + lagSeconds), lagSeconds, microsPerSpan: (seconds * 1e6) / rows };
  });
}

/** Returns how many seconds it took. */
async function untilIndexed({ api }: BenchService): Promise<number> {
  const began = performance.now();
  while ((await api.gauge('touchstone_index_backlog')) > 0) {
    interruption.throwIfAborted();
    if (performance.now() - began > LIMIT_MS) throw new Error('the index does not catch up');
    await sleep(LOOK_EVERY_MS);
  }
  return (performance.now() - began) / 1000;
}
