import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { Result } from './report.ts';

const PAGE = new URL('../docs/performance.md', import.meta.url);

/** Puts the figures into the documentation, with the machine and the command they come from. */
export async function writePage(results: readonly Result[], args: readonly string[]): Promise<void> {
  await writeFile(PAGE, pageOf(results, args, new Date()));
}

export function pageOf(results: readonly Result[], args: readonly string[], date: Date): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
  return [
    '# Performance',
    '',
    `Written by \`npm run bench -- ${args.join(' ')}\` on ${date.toISOString()}: ${machine}. Medians of the rounds. The service and what asks it share the machine, which had a load of ${loadavg()[1]!.toFixed(1)} over the last five minutes.`,
    '',
    'Read ratios: absolute values differ from machine to machine and from hour to hour; both numbers of a ratio come from the same rounds.',
    '',
    '| Measured | Ours | Against | Ratio | Target | Rounds |',
    '|---|---:|---:|---:|---|---:|',
    ...results.map(rowOf),
    '',
  ].join('\n');
}

function rowOf({ name, unit, ours, against, ratio, target, verdict, rounds }: Result): string {
  const sign = target?.better === 'higher' ? '≥' : '≤';
  const wanted = target ? `${sign} ${target.reach}${target.aim === undefined ? '' : `, aim ${target.aim}`}: ${verdict}` : '';
  const other = against ? `${short(against.value)} ${unit}, ${against.name}` : '';
  return `| ${[name, `${short(ours)} ${unit}`, other, ratio?.toFixed(2) ?? '', wanted, rounds].join(' | ')} |`;
}

const short = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));
