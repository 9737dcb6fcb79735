import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { CommandError, describeFailure, EXIT } from './command-error.ts';
import { buildProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
const ended = new AbortController();
const [command] = process.argv.slice(2).filter((word) => !word.startsWith('-'));
// The service ends by itself, in order; everything else at once.
if (command === 'tail' || command === 'import') process.once('SIGINT', () => ended.abort());
// A reader that has seen enough, as `head` has, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.unusable));

try {
  const program = buildProgram(processTerminal(ended.signal), version, (code) => {
    process.exitCode = code;
  });
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.unusable;
  else {
    process.stderr.write(`touchstone: ${describeFailure(error)}\n`);
    process.exitCode = error instanceof CommandError ? error.exitCode : EXIT.unusable;
  }
}
