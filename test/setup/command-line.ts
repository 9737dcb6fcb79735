import { describeFailure } from '../../cli/commands/command-error.ts';
import { buildProgram } from '../../cli/commands/program.ts';
import type { StartedService } from '../../testing/start-service.ts';

export interface EndedCommand {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** One command line of `touchstone` against a service, as the shell would split it, in this process. */
export async function runTouchstone(
  { url, apiKey }: Pick<StartedService, 'url' | 'apiKey'>,
  args: readonly string[],
): Promise<EndedCommand> {
  const ended = { code: 0, out: '', err: '' };
  const terminal = {
    env: { PATH: process.env.PATH, SERVICE_URL: url, SERVICE_API_KEY: apiKey },
    out: (text: string) => {
      ended.out += text;
    },
    err: (text: string) => {
      ended.err += text;
    },
    isWatched: false,
  };
  const program = buildProgram(terminal, '1.2.3', (code) => {
    ended.code = code;
  });
  await program.parseAsync(args, { from: 'user' }).catch((error) => {
    ended.code = error.exitCode ?? 99;
    ended.err += describeFailure(error);
  });
  return ended;
}
