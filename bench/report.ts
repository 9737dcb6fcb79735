import { median } from './median.ts';

/** Ours against something else, or just ours, measured round by round. */
export interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly ours: readonly number[];
  readonly against?: { readonly name: string; readonly values: readonly number[] };
  /** Of the ratio, or of our own value when there is nothing to compare with. */
  readonly target?: Target;
}

export interface Target {
  readonly better: 'higher' | 'lower';
  readonly reach: number;
  readonly aim?: number;
}

export interface Result {
  readonly name: string;
  readonly unit: string;
  readonly rounds: number;
  readonly ours: number;
  readonly against?: { readonly name: string; readonly value: number };
  /** Ratio of the two medians. */
  readonly ratio?: number;
  readonly target?: Target;
  readonly verdict: 'aim' | 'reached' | 'missed' | '';
}

export function toResult({ name, unit, ours, against, target }: Measured): Result {
  const value = median(ours);
  const other = against && median(against.values);
  const ratio = other === undefined ? undefined : value / other;
  return {
    name,
    unit,
    rounds: ours.length,
    ours: value,
    ...(against && other !== undefined ? { against: { name: against.name, value: other } } : {}),
    ...(ratio === undefined ? {} : { ratio }),
    ...(target ? { target } : {}),
    verdict: target ? toVerdict(ratio ?? value, target) : '',
  };
}

function toVerdict(value: number, { better, reach, aim }: Target): Result['verdict'] {
  const meets = (limit: number): boolean => (better === 'higher' ? value >= limit : value <= limit);
  if (aim !== undefined && meets(aim)) return 'aim';
  return meets(reach) ? 'reached' : 'missed';
}

const HEADINGS = ['measured', 'ours', 'against', '', 'ratio', 'target', 'verdict'];

export function toTable(results: readonly Result[]): string {
  const lines = [HEADINGS, ...results.map(toCells)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const isText = (column: number): boolean => column === 0 || column === 3;
  const pad = (cell: string, column: number): string =>
    isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return lines.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n');
}

function toCells({ name, unit, ours, against, ratio, target, verdict }: Result): string[] {
  return [
    name,
    `${short(ours)} ${unit}`,
    against ? `${short(against.value)} ${unit}` : '',
    against?.name ?? '',
    ratio?.toFixed(2) ?? '',
    target ? targetText(target) : '',
    verdict,
  ];
}

function targetText({ better, reach, aim }: Target): string {
  const sign = better === 'higher' ? '>=' : '<=';
  return aim === undefined ? `${sign} ${reach}` : `${sign} ${reach}, aim ${aim}`;
}

const short = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3));
