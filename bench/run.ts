import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { measureIngest } from './ingest.ts';
import { type Options, readOptions } from './options.ts';
import { type Measured, resultOf, tableOf } from './report.ts';
import { withStage } from './stage.ts';

const options = readOptions(process.argv.slice(2));
const began = performance.now();
const results = (await measureAll(options)).map(resultOf);
console.log(tableOf(results));
console.log(
  `\nmedians of the rounds, Node ${process.versions.node}, ${availableParallelism()} processors, ${Math.round((performance.now() - began) / 1000)} s. Read ratios: absolute values differ from machine to machine.`,
);
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);

async function measureAll({ phases, rounds, sliceMs }: Options): Promise<Measured[]> {
  const measured: Measured[] = [];
  if (phases.includes('ingest')) {
    await withStage(async (stage) => {
      measured.push(...(await measureIngest(stage, rounds, sliceMs)));
    });
  }
  return measured;
}
