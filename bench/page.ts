import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { PHASES, type Phase } from './options.ts';
import type { Result } from './report.ts';

const JSON_FILE = new URL('../docs/performance.json', import.meta.url);
const PAGE = new URL('../docs/performance.md', import.meta.url);

/** Result of a phase, with where and when it was measured. */
export interface MeasuredPhase {
  readonly phase: Phase;
  readonly command: string;
  readonly date: string;
  readonly machine: string;
  /** Of the machine, over the last five minutes. */
  readonly load: number;
  readonly results: readonly Result[];
}

export function measuredPhase(phase: Phase, results: readonly Result[], args: readonly string[], date: Date): MeasuredPhase {
  return {
    phase,
    command: ['npm run bench --', ...args].join(' '),
    date: date.toISOString(),
    machine: `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
    load: loadavg()[1]!,
    results,
  };
}

/** Puts a phase into the documentation; the others stay as they were measured before. */
export async function keepPhase(measured: MeasuredPhase): Promise<void> {
  const kept = existsSync(JSON_FILE) ? (JSON.parse(await readFile(JSON_FILE, 'utf8')) as MeasuredPhase[]) : [];
  const all = merged(kept, measured);
  await writeFile(JSON_FILE, `${JSON.stringify(all, null, 2)}\n`);
  await writeFile(PAGE, toPage(all));
}

/** In the order in which phases run. */
export function merged(kept: readonly MeasuredPhase[], measured: MeasuredPhase): MeasuredPhase[] {
  return PHASES.flatMap((phase) => (phase === measured.phase ? measured : (kept.find((one) => one.phase === phase) ?? [])));
}

export function toPage(phases: readonly MeasuredPhase[]): string {
  const sections = phases.flatMap(({ phase, command, date, machine, load, results }) => [
    `## ${phase}`,
    '',
    `\`${command}\` on ${date}: ${machine}. The service and what asks it share the machine, which had a load of ${load.toFixed(1)} over five minutes.`,
    '',
    '| Measured | Ours | Against | Ratio | Target | Rounds |',
    '|---|---:|---:|---:|---|---:|',
    ...results.map(toRow),
    '',
  ]);
  return [
    '# Performance',
    '',
    'Written by `npm run bench -- --write`, phase by phase; `npm run bench -- --only NAME --write` renews the phases of that name. Medians of the rounds. The same as data: [performance.json](performance.json).',
    '',
    'Read ratios: absolute values differ from machine to machine and from hour to hour; both numbers of a ratio come from the same rounds.',
    '',
    ...sections,
  ].join('\n');
}

function toRow({ name, unit, ours, against, ratio, target, verdict, rounds }: Result): string {
  const sign = target?.better === 'higher' ? '≥' : '≤';
  const wanted = target ? `${sign} ${target.reach}${target.aim === undefined ? '' : `, aim ${target.aim}`}: ${verdict}` : '';
  const other = against ? `${short(against.value)} ${unit}, ${against.name}` : '';
  return `| ${[name, `${short(ours)} ${unit}`, other, ratio?.toFixed(2) ?? '', wanted, rounds].join(' | ')} |`;
}

const short = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));
