import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { measureConsole } from './console.ts';
import { measureDatasets } from './datasets.ts';
import { measureFairness, startSilentModel } from './fairness.ts';
import { measureGrouping } from './grouping.ts';
import { measureGrowth } from './growth.ts';
import { measureIngest } from './ingest.ts';
import { measureMemory } from './memory.ts';
import { type Options, type Phase, readOptions } from './options.ts';
import { keepPhase, measuredPhase } from './page.ts';
import { measureReading } from './reading.ts';
import { type Measured, type Result, resultOf, tableOf } from './report.ts';
import { measureScored } from './scored.ts';
import { measureScoring } from './scoring.ts';
import { type Stage, withStage } from './stage.ts';
import { measureStarting } from './starting.ts';
import { measureTrends } from './trends.ts';
import { measureVolume } from './volume.ts';

const STARTS = 5;

const options = readOptions(process.argv.slice(2));
const began = performance.now();
const results = await measureAll(options);
console.log(tableOf(results));
console.log(
  `\nmedians of the rounds, Node ${process.versions.node}, ${availableParallelism()} processors, ${Math.round((performance.now() - began) / 1000)} s. Read ratios: absolute values differ from machine to machine.`,
);
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);

/** Each phase on a stage of its own, so that none inherits what another one left in the database. */
async function measureAll({ phases, rounds, sliceMs, streamRows, volumeRows, datasetRows, write }: Options): Promise<Result[]> {
  const measure: Readonly<Record<Phase, () => Promise<Measured[]>>> = {
    ingest: () => withStage((stage) => measureIngest(stage, rounds, sliceMs)),
    grouping: () => withStage((stage) => measureGrouping(stage, rounds, sliceMs)),
    sandbox: () => measureScoring(rounds, sliceMs),
    scoring: () => withStage((stage) => measureScored(stage, rounds, sliceMs)),
    reading: () => withStage((stage) => measureReading(stage, rounds, streamRows)),
    growth: () => withStage((stage) => measureGrowth(stage, rounds, volumeRows)),
    volume: () => withStage((stage) => measureVolume(stage, rounds, sliceMs, volumeRows)),
    trends: () => withStage((stage) => measureTrends(stage, rounds, volumeRows)),
    console: () => withStage((stage) => measureConsole(stage, rounds, volumeRows)),
    fairness: () => besideHangingModel((stage, url) => measureFairness(stage, url)),
    starting: () => measureStarting(Math.min(rounds, STARTS)),
    memory: () => withStage((stage) => measureMemory(stage, sliceMs)),
    datasets: () => withStage((stage) => measureDatasets(stage, rounds, datasetRows)),
  };
  const all: Result[] = [];
  for (const phase of phases) {
    console.error(`measuring ${phase} …`);
    const results = (await measure[phase]()).map(resultOf);
    if (write) await keepPhase(measuredPhase(phase, results, process.argv.slice(2), new Date()));
    all.push(...results);
  }
  return all;
}

async function besideHangingModel(measure: (stage: Stage, url: string) => Promise<Measured[]>): Promise<Measured[]> {
  const model = await startSilentModel();
  try {
    const environment = { ALLOWED_PRIVATE_ENDPOINTS: new URL(model.url).host };
    return await withStage((stage) => measure(stage, model.url), { environment });
  } finally {
    model.close();
  }
}
