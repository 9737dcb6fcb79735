import type { Proven } from './run-part.ts';

/** What could not be shown here, and why. */
const NOT_SHOWN = [
  'P11, wrong clocks: `faketime` is no part of a plain machine. Leases are judged by the clock of the database, pages are ordered by time and id.',
  'P13, a full disk: needs a file system of its own, and so root. Failures of the database for want of room are answered 503 (`adapters/postgres/database-failure.test.ts`).',
];

/** The page of a proof, for readers. */
export function pageOf(parts: readonly Proven[]): string {
  const figures = parts.flatMap((part) => [
    `## ${part.part}`,
    '',
    `${part.promises[0]!.toUpperCase()}${part.promises.slice(1)}.`,
    '',
    ...part.figures.map((line) => `- ${line}`),
    `- ${part.passed} tests passed, ${part.failed.length} failed, ${part.skipped.length} skipped; ${part.seconds} s${settingsOf(part)}`,
    `- ${part.date}, commit ${part.commit}, ${part.machine}`,
    ...part.failed.map((name) => `- **failed**: ${name}`),
    ...part.skipped.map((name) => `- skipped on this machine: ${name}`),
    '',
  ]);
  const controls = parts.flatMap(({ part, controls }) => controls.map((name) => `- ${part}: ${name}`));
  return [
    '# Proof',
    '',
    'Written by `npm run prove`, part by part; `npm run prove -- NAME` renews the part of that name. The same with all details: [proof.json](proof.json).',
    '',
    ...figures,
    '## Negative controls',
    '',
    'Each of these breaks a rule, by a switch in the test, and passes only when that is noticed:',
    '',
    ...controls,
    '',
    '## Not shown',
    '',
    ...NOT_SHOWN.map((line) => `- ${line}`),
    '',
  ].join('\n');
}

const settingsOf = ({ settings }: Proven): string =>
  Object.entries(settings)
    .map(([name, value]) => `, ${name}=${value}`)
    .join('');
