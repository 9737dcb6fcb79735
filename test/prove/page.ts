import { PARTS } from './parts.ts';
import type { Proven } from './run-part.ts';

/** The page of a proof, for readers. */
export function toPage(parts: readonly Proven[]): string {
  const figures = parts.flatMap((part) => [
    `## ${part.part}`,
    '',
    `${part.promises[0]!.toUpperCase()}${part.promises.slice(1)}.`,
    '',
    ...part.figures.map((line) => `- ${line}`),
    `- ${part.passed} tests passed, ${part.failed.length} failed, ${part.skipped.length} skipped; ${part.seconds} s${toSettings(part)}`,
    `- ${part.date}, commit ${part.commit}${part.is_dirty ? ' with changes that are not committed' : ''}, ${part.machine}`,
    ...part.failed.map((name) => `- **failed**: ${name}`),
    ...part.skipped.map((name) => `- skipped on this machine: ${name}`),
    '',
  ]);
  const controls = parts.flatMap(({ part, controls }) => controls.map((name) => `- \`npm run prove -- ${part}\`: ${name}`));
  const missing = PARTS.flatMap(({ name, promises }) => {
    const part = parts.find((one) => one.part === name);
    if (!part) return [`- ${name}, not proven yet: ${promises}`];
    return part.skipped.map((test) => `- ${name}, not possible on this machine: ${test}`);
  });
  return [
    '# Proof',
    '',
    'Written by `npm run prove`, part by part; `npm run prove -- NAME` renews the part of that name. The same with all details: [proof.json](proof.json).',
    '',
    ...figures,
    '## Negative controls',
    '',
    'Each of these breaks a rule, by a switch in the test, and passes only when that is noticed. They run with their part:',
    '',
    ...controls,
    '',
    '## Not shown',
    '',
    ...(missing.length === 0 ? ['Nothing that is promised.'] : missing),
    '',
  ].join('\n');
}

const toSettings = ({ settings }: Proven): string =>
  Object.entries(settings)
    .map(([name, value]) => `, ${name}=${value}`)
    .join('');
