/** Lints the chart and writes what it renders to, for review. Needs `helm` on the PATH, and no cluster. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { CHART, computeChartDigest, RENDERINGS } from './helm-chart.ts';

const folder = new URL('helm/', import.meta.url);
/** Not the one that `helm` was built for, which the chart may be too new for. */
const KUBERNETES = '1.33.0';
const helm = (...args: string[]): string => execFileSync('helm', args, { encoding: 'utf8' });

mkdirSync(folder, { recursive: true });
for (const { name, set } of RENDERINGS) {
  const options = set.flatMap((one) => ['--set', one]);
  helm('lint', '--strict', CHART, ...options);
  const rendered = helm(
    'template',
    'touchstone',
    CHART,
    '--namespace',
    'touchstone',
    '--kube-version',
    KUBERNETES,
    '--is-upgrade',
    ...options,
  );
  writeFileSync(new URL(`${name}.yaml`, folder), `# chart ${computeChartDigest()}\n${rendered}`);
  console.log(`wrote test/golden/helm/${name}.yaml`);
}
