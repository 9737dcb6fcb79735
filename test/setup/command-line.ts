import { describeFailure } from '../../cli/commands/command-error.ts';
import { buildProgram } from '../../cli/commands/program.ts';
import type { Terminal } from '../../cli/commands/terminal.ts';
import type { StartedService } from '../../testing/start-service.ts';

export interface EndedCommand {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A terminal that keeps what is written to it; nobody watches it unless told so. */
export function recordingTerminal(more: Partial<Terminal> & Pick<Terminal, 'env'>) {
  const ended = { code: 0, out: '', err: '' };
  const terminal: Terminal = {
    out: (text) => {
      ended.out += text;
    },
    err: (text) => {
      ended.err += text;
    },
    isWatched: false,
    ...more,
  };
  return { ended, terminal };
}

/** One command line of `touchstone` against a service, as the shell would split it, in this process. */
export async function runTouchstone(
  { url, apiKey }: Pick<StartedService, 'url' | 'apiKey'>,
  args: readonly string[],
): Promise<EndedCommand> {
  const { ended, terminal } = recordingTerminal({
    env: { PATH: process.env.PATH, SERVICE_URL: url, SERVICE_API_KEY: apiKey },
  });
  const program = buildProgram(terminal, '1.2.3', (code) => {
    ended.code = code;
  });
  await program.parseAsync(args, { from: 'user' }).catch((error) => {
    ended.code = error.exitCode ?? 99;
    ended.err += describeFailure(error);
  });
  return ended;
}
