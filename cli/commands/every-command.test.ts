import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndedCommand, recordingTerminal } from '../../test/setup/command-line.ts';
import { type StartedService, startService } from '../../testing/start-service.ts';
import { describeFailure } from './command-error.ts';
import { buildProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

/** Duties of a command to those who run it. */
interface Duty {
  /** Words behind the name of a call that works on the service of this test; or the test file that makes such calls. */
  readonly call: readonly string[] | { readonly in: string };
  /** Form of the output of `--json`; or why there is none. */
  readonly json: 'an object' | 'lines' | { readonly none: string };
  /** Whether it takes long enough to show how far it is. */
  readonly progress: 'shown' | 'short' | { readonly none: string };
}

const folder = mkdtempSync(join(tmpdir(), 'touchstone-every-command-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const traces = file('traces.jsonl', `${JSON.stringify({ input: 'apples', output: 'red' })}\n`);
const rows = file(
  'rows.jsonl',
  Array.from({ length: 12 }, (_, at) => `${JSON.stringify({ input: `a${at}`, output: 'A' })}\n`).join(''),
);
const langfuse = file(
  'langfuse.jsonl',
  `${JSON.stringify({ id: 't1', name: 'chat', timestamp: '2026-01-01T00:00:00Z', input: 'a', output: 'b' })}\n`,
);
const place = ['--project', 'fruit', '--log-stream', 'shop'];

/** A new command gets a row, or this test fails. In the order in which the calls are made. */
const DUTIES: Readonly<Record<string, Duty>> = {
  start: { call: { in: 'test/system/packed-packages.test.ts' }, json: { none: 'it logs until it is ended' }, progress: 'short' },
  doctor: { call: [], json: 'an object', progress: 'short' },
  backup: { call: { in: 'test/postgres/upkeep-commands.test.ts' }, json: 'an object', progress: 'shown' },
  restore: { call: { in: 'test/postgres/upkeep-commands.test.ts' }, json: 'an object', progress: 'shown' },
  upgrade: { call: { in: 'test/postgres/rehearsals.test.ts' }, json: 'an object', progress: 'shown' },
  migrate: {
    call: { in: 'test/postgres/upkeep-commands.test.ts' },
    json: 'an object',
    progress: { none: 'migrations do not say how far they are' },
  },
  'rotate-keys': { call: { in: 'test/postgres/upkeep-commands.test.ts' }, json: 'an object', progress: 'short' },
  'rotate-secrets': { call: { in: 'test/postgres/upkeep-commands.test.ts' }, json: 'an object', progress: 'short' },
  'check-audit': {
    call: { in: 'test/postgres/upkeep-commands.test.ts' },
    json: 'an object',
    progress: { none: 'one statement reads the log' },
  },
  'files move': { call: { in: 'test/postgres/file-move.test.ts' }, json: 'an object', progress: 'shown' },
  login: { call: [], json: 'an object', progress: 'short' },
  ingest: { call: [traces, ...place], json: 'an object', progress: 'shown' },
  search: { call: place, json: 'lines', progress: 'short' },
  find: { call: ['apples'], json: 'lines', progress: 'short' },
  tail: { call: [...place, '--count', '1'], json: 'lines', progress: { none: 'it shows what comes' } },
  export: { call: [...place, '--output', join(folder, 'out.jsonl')], json: 'an object', progress: 'shown' },
  import: { call: ['langfuse', langfuse, '--project', 'moved'], json: 'an object', progress: 'shown' },
  'dataset push': { call: [rows, '--name', 'letters'], json: 'an object', progress: { none: 'one request has the file' } },
  'dataset pull': { call: ['letters', '--output', join(folder, 'pulled.jsonl')], json: 'an object', progress: 'shown' },
  'experiment run': {
    call: ['--project', 'fruit', '--dataset', 'letters', '--name', 'one', '--command', 'cat'],
    json: 'an object',
    progress: 'shown',
  },
  'experiment compare': { call: ['one', 'one', '--project', 'fruit'], json: 'an object', progress: 'short' },
  gate: {
    call: ['--experiment', 'one', '--baseline', 'one', '--project', 'fruit', '--metric', 'duration_ns'],
    json: 'an object',
    progress: 'short',
  },
  compare: { call: { in: 'cli/commands/compare-runs.test.ts' }, json: 'an object', progress: 'short' },
  audit: {
    call: { in: 'test/http/health/judge-audits.http.test.ts' },
    json: 'an object',
    progress: { none: 'a line for each look, for logs of builds' },
  },
  score: { call: { in: 'cli/commands/score.test.ts' }, json: 'an object', progress: 'shown' },
  mcp: { call: { in: 'test/http/mcp/mcp.http.test.ts' }, json: { none: 'its output is the protocol' }, progress: 'short' },
  completion: { call: ['bash'], json: { none: 'its output is a script' }, progress: 'short' },
};

let service: StartedService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function run(args: readonly string[], isWatched = false): Promise<EndedCommand> {
  const keys = { SERVICE_URL: service.url, SERVICE_API_KEY: service.apiKey };
  const { ended, terminal } = recordingTerminal({
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, DATA_DIR: join(folder, 'data'), PORT: '0', ...keys },
    isWatched,
  });
  const setExitCode = (code: number): void => {
    ended.code = code;
  };
  await buildProgram(terminal, '1.2.3', setExitCode)
    .parseAsync(args, { from: 'user' })
    .catch((error) => {
      ended.code = error.exitCode === 0 ? 0 : 2;
      ended.err += describeFailure(error);
    });
  return ended;
}

interface Leaf {
  readonly path: string;
  readonly options: readonly string[];
}
const listLeaves = (command: Command, path: readonly string[] = []): Leaf[] =>
  command.commands
    .filter((each) => each.name() !== 'help')
    .flatMap((each) => {
      const own = [...path, each.name()];
      const options = each.options.flatMap(({ long }) => long ?? []);
      return each.commands.length > 0 ? listLeaves(each, own) : [{ path: own.join(' '), options }];
    });
const silent: Terminal = { env: {}, out: () => undefined, err: () => undefined, isWatched: false };
const LEAVES = listLeaves(buildProgram(silent, '1.2.3', () => undefined));
const called = Object.entries(DUTIES).flatMap(([path, duty]) =>
  Array.isArray(duty.call) ? [{ path, ...duty, call: duty.call as readonly string[] }] : [],
);

describe('every command', () => {
  it('has a row in the table of this test, and every row is a command', () => {
    expect(Object.keys(DUTIES).sort()).toEqual(LEAVES.map(({ path }) => path).sort());
    for (const { call } of Object.values(DUTIES))
      if ('in' in call) expect([call.in, existsSync(join(import.meta.dirname, '../..', call.in))]).toEqual([call.in, true]);
  });

  it.each(called.filter(({ json }) => typeof json === 'string'))(
    'writes nothing but JSON: $path --json',
    async ({ path, call, json }) => {
      const { code, out, err } = await run([...path.split(' '), ...(path === 'login' ? [service.url] : call), '--json']);
      expect([code, err]).toEqual([expect.toSatisfy((it: number) => it === 0 || it === 1), '']);
      const parsed = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
      expect(parsed.every((one) => typeof one === 'object' && one !== null)).toBe(true);
      if (json === 'an object') expect(parsed).toHaveLength(1);
      else expect(parsed.length).toBeGreaterThan(0);
    },
  );

  it.each(called.filter(({ progress }) => progress === 'shown'))(
    'shows how far it is to who watches: $path',
    async ({ path, call }) => {
      expect((await run([...path.split(' '), ...call], true)).err).toMatch(/\d/);
      expect((await run([...path.split(' '), ...call])).err).toBe('');
    },
  );

  it.each(LEAVES)('ends with 2 and says why where it cannot be done: $path', async ({ path }) => {
    const { code, out, err } = await run([...path.split(' '), '--no-such-option']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/unknown option '--no-such-option'|required option '.*' not specified/);
  });

  it.each(LEAVES)('has a description, and says how it ends by the help of the program: $path', async ({ path }) => {
    const { code, out } = await run([...path.split(' '), '--help']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: touchstone [\s\S]*\n\n\S.{10}/);
  });

  it.each(['bash', 'zsh', 'fish'])('is completed in %s, with all its options', async (shell) => {
    const { out } = await run(['completion', shell]);
    for (const { path, options } of LEAVES) {
      const words = [...path.split(' '), ...options.map((option) => (shell === 'fish' ? option.slice(2) : option))];
      for (const word of words) expect([path, out.includes(word)]).toEqual([path, true]);
    }
  });

  it('is completed in bash where the cursor stands behind it', async () => {
    const script = file('completion.bash', (await run(['completion', 'bash'])).out);
    const lines = LEAVES.map(({ path }) => {
      const words = ['touchstone', ...path.split(' '), '--'];
      return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _touchstone; echo "\${COMPREPLY[*]}"`;
    });
    const { stdout } = await promisify(execFile)('bash', ['-c', [`source ${script}`, ...lines].join('\n')]);
    for (const [at, line] of stdout.trimEnd().split('\n').entries()) {
      const { path, options } = LEAVES[at]!;
      expect([path, ...line.split(' ').sort()]).toEqual([path, ...[...options, '--help'].sort()]);
    }
  });
});
