import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { getChecks } from './cases-of-module.ts';
import type { CheckList } from './check.ts';
import { runChecks } from './run-checks.ts';

async function fails(checks: CheckList): Promise<boolean> {
  const verdicts = await runChecks(checks);
  const failed = verdicts.filter(({ failure }) => failure !== undefined);
  const lines = verdicts.map(({ name, failure }) =>
    failure === undefined ? `  ok     ${name}` : `  FAILS  ${name}\n${failure.replaceAll(/^/gm, '         ')}`,
  );
  const sum = `${verdicts.length} checks, ${failed.length === 0 ? 'all hold' : `${failed.length} failed`}`;
  process.stdout.write(`${checks.title}\n${lines.join('\n')}\n${sum}\n`);
  return failed.length > 0;
}

async function tryModule(specifier: string): Promise<void> {
  try {
    const module = existsSync(specifier) ? resolve(specifier) : specifier;
    for (const checks of await getChecks(module)) if (await fails(checks)) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** `npm run plugin:check <specifier> ...`: tries every plugin of some modules and ends with 1 when one of them does not hold what it has to. */
process.chdir(process.env.INIT_CWD ?? '.');
const specifiers = process.argv.slice(2);
if (specifiers.length === 0) {
  process.stderr.write('usage: npm run plugin:check <package, file or folder> ...\n');
  process.exitCode = 1;
}
for (const specifier of specifiers) await tryModule(specifier);
