import type { TrialPackage, TrialStep } from './package-trial.ts';

export const DOCUMENTATION = 'docs/clients.md';
const START = '<!-- trial: npm run package:try -- --write -->\n';
const END = '<!-- trial end -->\n';

export interface TrialResult {
  readonly steps: readonly TrialStep[];
  readonly packages: readonly TrialPackage[];
  /** Where and when: machine, Node, day. */
  readonly where: string;
}

/** The text with the results of the trial in their place. */
export function withTrial(text: string, result: TrialResult): string {
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`there is no place for the table: ${START.trim()}`);
  return `${text.slice(0, start)}${START}\n${toTables(result)}\n${text.slice(end)}`;
}

function toTables({ steps, packages, where }: TrialResult): string {
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    `${where}.`,
    '',
    '| Step | Seconds |',
    '|---|---:|',
    ...steps.map(({ name, seconds }) => `| ${name} | ${seconds.toFixed(1)} |`),
    `| all | ${total.toFixed(1)} |`,
    '',
    '| Package | Packed | With all that it needs, installed |',
    '|---|---:|---:|',
    ...packages.map(
      ({ name, packedBytes, installedBytes }) =>
        `| ${name.replace('-', ' ')} | ${toSize(packedBytes)} | ${installedBytes === undefined ? '' : toSize(installedBytes)} |`,
    ),
    '',
  ].join('\n');
}

export const toSize = (bytes: number): string =>
  bytes < 10 * 2 ** 20 ? `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
