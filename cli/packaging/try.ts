import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BY_PYTHON, BY_TYPESCRIPT } from './trial/first-programs.ts';
import { PackageTrial } from './trial/package-trial.ts';
import { DOCUMENTATION, toSize, withTrial } from './trial/trial-table.ts';

/**
 * `npm run package:try [-- --write]`: packs all packages, installs them into empty folders, starts the server, sends a trace by each client and waits for the scores. Prints
 * the seconds of each step and the sizes; ends with 1 at the first step that fails. `--write` keeps the figures in the documentation.
 */
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'touchstone-trial-'));
const trial = new PackageTrial(folder, ({ name, seconds }) =>
  process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${name}\n`),
);
const clean = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void trial.close().then(() => {
      clean();
      process.exit(1);
    });
  });
try {
  for (const name of ['server', 'plugin-sdk', 'client', 'python-client'] as const) await trial.pack(name);
  await trial.installServer();
  await trial.start();
  await trial.enableScorers();
  await trial.installTypeScript();
  await trial.traceByTypeScript();
  await trial.installPython();
  await trial.traceByPython();
  await trial.waitForScores(BY_TYPESCRIPT, BY_PYTHON);
  await trial.stop();
  const packages = trial.measure();
  for (const { name, packedBytes, installedBytes } of packages)
    process.stdout.write(
      `${name}: ${toSize(packedBytes)} packed${installedBytes === undefined ? '' : `, ${toSize(installedBytes)} installed with all that it needs`}\n`,
    );
  if (values.write) {
    const path = resolve(import.meta.dirname, '../..', DOCUMENTATION);
    const where = `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} processors, Node ${process.versions.node}`;
    writeFileSync(path, withTrial(readFileSync(path, 'utf8'), { steps: trial.steps, packages, where }));
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await trial.close();
  clean();
}
