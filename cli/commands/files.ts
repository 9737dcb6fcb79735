import type { Command } from 'commander';
import { Option } from 'commander';
import { readStoredConfig } from '../../config/env.ts';
import type { FileMove } from '../../core/files/file-mover.ts';
import { describeMove, describePlan, FILE_STORES, type FileStoreKind, moveFiles, planFileMove } from '../stored/move-files.ts';
import { EXIT } from './command-error.ts';
import { Progress, type Terminal } from './terminal.ts';
import { untilAsked } from './until-asked.ts';

export interface FileCommandTools {
  readonly terminal: Terminal;
  say(options: { readonly json?: boolean }, value: unknown, text: string): void;
  setExitCode(code: number): void;
}

/** Commands about the content of files of the installation here. */
export function addFiles(program: Command, { terminal, say, setExitCode }: FileCommandTools): void {
  const files = program.command('files').description('content of files of the installation here');
  files
    .command('move')
    .description('move the content of files into a store, while the service runs; run again it goes on where it ended')
    .addOption(new Option('--to <store>', 'the store that FILE_STORE names').choices(FILE_STORES).makeOptionMandatory())
    .option('--dry-run', 'count what is to be moved, and change nothing', false)
    .action(async ({ to, dryRun }: { to: FileStoreKind; dryRun: boolean }, command: Command) => {
      const config = readStoredConfig(terminal.env);
      const options = command.optsWithGlobals<{ json?: boolean }>();
      if (dryRun) {
        const plan = await planFileMove(config, to);
        return say(options, plan, describePlan(plan, to));
      }
      const shown = new Progress(terminal, 'files');
      const total = terminal.isWatched ? (await planFileMove(config, to)).files : undefined;
      const progress = (move: Readonly<FileMove>) => shown.at(countSeen(move), total && Math.max(total, countSeen(move)));
      const move = await untilAsked((signal) => moveFiles(config, to, { signal, progress }));
      shown.end();
      say(options, move, describeMove(move, to).join('\n'));
      setExitCode(toExitCode(move));
    });
}

const countSeen = ({ moved, skipped, num_damaged, failed }: Readonly<FileMove>): number => moved + skipped + num_damaged + failed;

function toExitCode({ is_complete, failed, num_damaged }: FileMove): number {
  if (!is_complete) return EXIT.unusable;
  return failed + num_damaged > 0 ? EXIT.negative : EXIT.done;
}
