import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CheckedPlugin, checkApart } from './check-process.ts';

const USAGE = 'usage: npm run plugin:check <package, file or folder> ... [-- --limit SECONDS]';

interface Asked {
  readonly specifiers: readonly string[];
  /** How long one check may take. */
  readonly limitMs: number | undefined;
}

function asked(args: string[]): Asked {
  const { positionals, values } = parseArgs({ args, options: { limit: { type: 'string' } }, allowPositionals: true });
  const limitMs = values.limit === undefined ? undefined : Number(values.limit) * 1000;
  if (positionals.length === 0 || (limitMs !== undefined && !(limitMs > 0))) throw new Error(USAGE);
  return { specifiers: positionals, limitMs };
}

/** Prints what holds and what does not. */
function report({ title, verdicts }: CheckedPlugin): void {
  const failed = verdicts.filter(({ failure }) => failure !== undefined);
  const lines = verdicts.map(({ name, failure }) =>
    failure === undefined ? `  ok     ${name}` : `  FAILS  ${name}\n${failure.replaceAll(/^/gm, '         ')}`,
  );
  const sum = `${verdicts.length} checks, ${failed.length === 0 ? 'all hold' : `${failed.length} failed`}`;
  process.stdout.write(`${title}\n${lines.join('\n')}\n${sum}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

async function tryModule(specifier: string, limitMs: number | undefined): Promise<void> {
  try {
    const module = existsSync(specifier) ? resolve(specifier) : specifier;
    for (const plugin of await checkApart(module, limitMs)) report(plugin);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** `npm run plugin:check <specifier> ...`: tries every plugin of some modules and ends with 1 when one of them does not hold what it has to. */
try {
  process.chdir(process.env.INIT_CWD ?? '.');
  const { specifiers, limitMs } = asked(process.argv.slice(2));
  for (const specifier of specifiers) await tryModule(specifier, limitMs);
} catch (error) {
  fail(error);
}
