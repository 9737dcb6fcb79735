import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type BenchService, withBenchService } from './bench-service.ts';
import { measureConsole } from './console.ts';
import { measureDatasets } from './datasets.ts';
import { measureFairness, startSilentModel } from './fairness.ts';
import { measureGrouping } from './grouping.ts';
import { measureGrowth } from './growth.ts';
import { measureIngest } from './ingest.ts';
import { measureMemory } from './memory.ts';
import { type Options, type Phase, readOptions } from './options.ts';
import { keepPhase, measuredPhase } from './page.ts';
import { measurePython } from './python.ts';
import { measureReading } from './reading.ts';
import { type Measured, type Result, toResult, toTable } from './report.ts';
import { measureScored, measureTwoLanguages } from './scored.ts';
import { measureScoring } from './scoring.ts';
import { measureStarting } from './starting.ts';
import { measureSustained } from './traffic/sustained.ts';
import { measureTraffic } from './traffic/traffic.ts';
import { measureTrends } from './trends.ts';
import { measureVolume } from './volume.ts';

const STARTS = 5;
/** Long enough for the index to fall behind. */
const SUSTAINED_SLICES = 5;

const options = readOptions(process.argv.slice(2));
const began = performance.now();
const results = await measureAll(options);
console.log(toTable(results));
console.log(
  `\nmedians of the rounds, Node ${process.versions.node}, ${availableParallelism()} processors, ${Math.round((performance.now() - began) / 1000)} s. Read ratios: absolute values differ from machine to machine.`,
);
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);

/** Each phase on a service of its own, so that none inherits what another one left in the database. */
async function measureAll({ phases, rounds, sliceMs, streamRows, volumeRows, datasetRows, write }: Options): Promise<Result[]> {
  const measure: Readonly<Record<Phase, () => Promise<Measured[]>>> = {
    ingest: () => withBenchService((benchService) => measureIngest(benchService, rounds, sliceMs)),
    traffic: () =>
      withBenchService((benchService) => measureTraffic(benchService, rounds, sliceMs), { environment: { ROLE: 'api' } }),
    sustained: () => measureSustained(rounds, sliceMs * SUSTAINED_SLICES),
    grouping: () => withBenchService((benchService) => measureGrouping(benchService, rounds, sliceMs)),
    sandbox: () => measureScoring(rounds, sliceMs),
    python: async () => [
      ...(await measurePython(rounds, sliceMs)),
      ...(await withBenchService((benchService) => measureTwoLanguages(benchService, rounds, sliceMs))),
    ],
    scoring: () => withBenchService((benchService) => measureScored(benchService, rounds, sliceMs)),
    reading: () => withBenchService((benchService) => measureReading(benchService, rounds, streamRows)),
    growth: () => withBenchService((benchService) => measureGrowth(benchService, rounds, volumeRows)),
    volume: () => withBenchService((benchService) => measureVolume(benchService, rounds, sliceMs, volumeRows)),
    trends: () => withBenchService((benchService) => measureTrends(benchService, rounds, volumeRows)),
    console: () => withBenchService((benchService) => measureConsole(benchService, rounds, volumeRows)),
    fairness: () => besideHangingModel((benchService, url) => measureFairness(benchService, url)),
    starting: () => measureStarting(Math.min(rounds, STARTS)),
    memory: () => withBenchService((benchService) => measureMemory(benchService, sliceMs)),
    datasets: () => withBenchService((benchService) => measureDatasets(benchService, rounds, datasetRows)),
  };
  const all: Result[] = [];
  for (const phase of phases) {
    console.error(`measuring ${phase} …`);
    const results = (await measure[phase]()).map(toResult);
    if (write) await keepPhase(measuredPhase(phase, results, process.argv.slice(2), new Date()));
    all.push(...results);
  }
  return all;
}

async function besideHangingModel(
  measure: (benchService: BenchService, url: string) => Promise<Measured[]>,
): Promise<Measured[]> {
  const model = await startSilentModel();
  try {
    const environment = { ALLOWED_PRIVATE_ENDPOINTS: new URL(model.url).host };
    return await withBenchService((benchService) => measure(benchService, model.url), { environment });
  } finally {
    model.close();
  }
}
