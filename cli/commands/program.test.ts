import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EndedCommand, recordingTerminal } from '../../test/setup/command-line.ts';
import { type StartedService, startService } from '../../testing/start-service.ts';
import { describeFailure } from './command-error.ts';
import { buildProgram } from './program.ts';
import type { Terminal } from './terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-cli-'));
const LAUNCHER = join(import.meta.dirname, '../touchstone.js');

let service: StartedService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** One command line, as the shell would split it, in this process. */
async function touchstone(args: readonly string[], more: Partial<Terminal> = {}): Promise<EndedCommand> {
  const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: folder, SERVICE_URL: service.url, SERVICE_API_KEY: service.apiKey };
  const { ended, terminal } = recordingTerminal({ env, ...more });
  const program = buildProgram(terminal, '1.2.3', (code) => {
    ended.code = code;
  });
  await program.parseAsync(args, { from: 'user' }).catch((error) => {
    ended.code = error.exitCode ?? 99;
    ended.err += describeFailure(error);
  });
  return ended;
}
const json = <T>({ out }: EndedCommand): T => JSON.parse(out);

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const traceLine = (input: string, fields: object = {}) =>
  JSON.stringify({ input, output: `about ${input}`, spans: [{ type: 'llm', input, output: 'x', model: 'm' }], ...fields });

const otlpLine = (trace_id: string, name: string) =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: [] },
        scopeSpans: [
          {
            scope: { name: 'test' },
            spans: [
              {
                traceId: trace_id,
                spanId: trace_id.slice(0, 16),
                name,
                kind: 1,
                startTimeUnixNano: '1790000000000000000',
                endTimeUnixNano: '1790000001000000000',
              },
            ],
          },
        ],
      },
    ],
  });

describe('touchstone ingest, search, tail and export', () => {
  it('sends JSON lines, finds them by a condition, shows and exports them', async () => {
    const lines = file('traces.jsonl', `${traceLine('apples')}\n\n${traceLine('pears')}\n`);
    const place = ['--project', 'fruit', '--log-stream', 'shop'];
    expect(json(await touchstone(['ingest', lines, ...place, '--json']))).toMatchObject({
      format: 'jsonl',
      traces: 2,
      requests: 1,
    });

    const found = await touchstone(['search', ...place, '--filter', 'input~pear', '--json']);
    expect(json(found)).toMatchObject({ type: 'trace', input: 'pears' });
    expect((await touchstone(['search', ...place])).out.split('\n')).toHaveLength(3);
    const spans = await touchstone(['search', ...place, '--level', 'spans', '--filter', 'model=m', '--limit', '1', '--json']);
    expect(json(spans)).toMatchObject({ type: 'llm' });

    const tailed = await touchstone(['tail', ...place, '--count', '2', '--json']);
    expect(
      new Set(
        tailed.out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).input),
      ),
    ).toEqual(new Set(['apples', 'pears']));

    const target = join(folder, 'out.jsonl');
    await touchstone(['export', ...place, '--output', target]);
    expect(readFileSync(target, 'utf8').trim().split('\n')).toHaveLength(2);
    expect((await touchstone(['export', ...place, '--format', 'csv'])).out).toMatch(/apples/);
  });

  it('finds a text in all log streams, or in those of one project', async () => {
    const lines = file('found.jsonl', `${traceLine('the quick brown fox')}\n`);
    for (const project of ['forest', 'meadow']) await touchstone(['ingest', lines, '--project', project]);
    const find = async (...rest: string[]) =>
      (await touchstone(['find', ...rest, '--json'])).out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    const everywhere = await find('"quick brown"');
    expect(new Set(everywhere.map(({ project_name }) => project_name))).toEqual(new Set(['forest', 'meadow']));
    expect(await find('rown fo', '--part', '--project', 'meadow', '--spans')).toMatchObject([
      { project_name: 'meadow', record_type: 'span', snippet: { text: 'the quick brown fox' } },
    ]);
    expect((await touchstone(['find', '"quick brown"', '--limit', '1'])).out).toMatch(
      /^\S+ {2}\w+ \/ default .*the quick brown fox\n$/,
    );
  });

  it('stores nothing twice when a file is sent again', async () => {
    const lines = file('again.jsonl', `${traceLine('one')}\n${traceLine('one')}\n`);
    for (let time = 0; time < 2; time++) await touchstone(['ingest', lines, '--project', 'again']);
    expect((await touchstone(['search', '--project', 'again', '--json'])).out.trim().split('\n')).toHaveLength(2);
  });

  it('sends OTLP as collectors write it to files', async () => {
    const name = 'otlp.jsonl';
    const lines = file(name, `${otlpLine('a'.repeat(32), 'first')}\n${otlpLine('b'.repeat(32), 'second')}\n`);
    expect(json(await touchstone(['ingest', lines, '--project', 'é spans', '--json']))).toMatchObject({
      format: 'otlp_json',
      traces: 2,
      requests: 2,
    });
    const found = (await touchstone(['search', '--project', 'é spans', '--json'])).out.trim().split('\n');
    expect(found.map((line) => JSON.parse(line).name).sort()).toEqual(['first', 'second']);
  });

  it.each([
    ['a line that is no object', '[1]\n', ':1 is not a JSON object'],
    ['an empty file', '\n', 'holds no traces'],
    ['a file of both forms', `${traceLine('one')}\n${otlpLine('c'.repeat(32), 'x')}\n`, ':2 is not jsonl'],
  ])('refuses %s, by name and line', async (_what, text, message) => {
    const ended = await touchstone(['ingest', file('wrong.jsonl', text), '--project', 'wrong']);
    expect(ended).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  it('names the columns there are when a condition names none of them', async () => {
    await touchstone(['ingest', file('few.jsonl', traceLine('x')), '--project', 'few']);
    const { code, err } = await touchstone(['search', '--project', 'few', '--filter', 'colour=red']);
    expect(code).toBe(2);
    expect(err).toMatch(/no column colour.*created_at/s);
  });
});

describe('touchstone dataset and experiment', () => {
  const rows = (values: readonly string[]) =>
    values.map((input) => `${JSON.stringify({ input, output: input.toUpperCase() })}\n`).join('');

  it('pushes a file, pushes it again as another version, and pulls it', async () => {
    const first = json<{ id: string }>(
      await touchstone(['dataset', 'push', file('d.jsonl', rows(['a', 'b'])), '--name', 'letters', '--json']),
    );
    expect(first).toMatchObject({ current_version_index: 1, num_rows: 2 });
    const more = await touchstone(['dataset', 'push', file('d.csv', 'input,output\nc,C\n'), '--name', 'letters', '--json']);
    expect(json(more)).toMatchObject({ id: first.id, current_version_index: 2, num_rows: 3 });
    const other = await touchstone(['dataset', 'push', file('e.jsonl', rows(['z'])), '--name', 'letters', '--replace', '--json']);
    expect(json(other)).toMatchObject({ id: first.id, current_version_index: 3, num_rows: 1 });
    expect(JSON.parse((await touchstone(['dataset', 'pull', 'letters'])).out)).toMatchObject({ input: 'z', output: 'Z' });
    const left = await service.request('POST', '/v2/datasets/query', {
      filters: [{ name: 'name', operator: 'contains', value: 'being pushed' }],
    });
    expect(left.body).toMatchObject({ datasets: [] });
  });

  it('runs a command on every row, and compares two runs', async () => {
    await touchstone(['dataset', 'push', file('r.jsonl', rows(['a', 'b', 'c'])), '--name', 'runs']);
    const run = (name: string, program: string) => {
      const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(file(`${name}.mjs`, program))}`;
      const given = ['--project', 'trials', '--dataset', 'runs', '--name', name, '--command', command, '--json'];
      return touchstone(['experiment', 'run', ...given]);
    };
    const READ = "import { readFileSync } from 'node:fs';\nconst row = JSON.parse(readFileSync(0, 'utf8'));\n";
    const good = await run('good', `${READ}console.log(row.input.toUpperCase());`);
    expect(json(good)).toMatchObject({ rows: 3, failed: 0, url: expect.stringContaining('/#/projects/') });
    const bad = await run('bad', `${READ}if (row.input === 'b') { console.error('no b'); process.exit(3); }\nconsole.log('?');`);
    expect(bad.code).toBe(1);
    expect(json(bad)).toMatchObject({ rows: 3, failed: 1 });
    const found = (await touchstone(['search', '--project', 'trials', '--experiment', 'bad', '--json'])).out.trim().split('\n');
    const traces = found.map((line) => JSON.parse(line)).sort((one, other) => one.input.localeCompare(other.input));
    expect(traces.map(({ output }) => output)).toEqual(['?', 'ended with 3: no b', '?']);
    expect(traces[1]).toMatchObject({ dataset_input: 'b', dataset_output: 'B', status_code: 500 });

    const compared = await touchstone(['experiment', 'compare', 'good', 'bad', '--project', 'trials']);
    expect(compared).toMatchObject({ code: 0, out: expect.stringMatching(/^3 rows in both\nmetric(.|\n)*duration_ns/) });
    const unknown = await touchstone(['experiment', 'compare', 'good', 'bad', '--project', 'trials', '--fail-on', 'nothing']);
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('no row has nothing') });
  });
});

describe('touchstone login', () => {
  it('keeps a key that works in a file that its owner alone can read, for its own service alone', async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const env = { XDG_CONFIG_HOME: home, SERVICE_API_KEY: service.apiKey };
    const { out } = await touchstone(['login', `${service.url}/`, '--json'], { env });
    const kept = JSON.parse(out).file;
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect((await touchstone(['search', '--project', 'fruit', '--json'], { env: { XDG_CONFIG_HOME: home } })).code).toBe(0);
    const elsewhere = await touchstone(['search', '--project', 'fruit', '--url', 'http://127.0.0.1:9'], {
      env: { XDG_CONFIG_HOME: home },
    });
    expect(elsewhere).toMatchObject({
      code: 2,
      err: 'no key for http://127.0.0.1:9: run "touchstone login", or set SERVICE_API_KEY',
    });
  });

  it('keeps no key that the service refuses', async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const env = { XDG_CONFIG_HOME: home, SERVICE_API_KEY: 'wrong' };
    expect(await touchstone(['login', service.url], { env })).toMatchObject({ code: 2, err: expect.stringContaining('401') });
    const { err } = await touchstone(['search', '--project', 'x'], { env: { XDG_CONFIG_HOME: home } });
    expect(err).toContain('no key for');
  });
});

describe('touchstone doctor', () => {
  const examine = (env: Record<string, string>) => touchstone(['doctor', '--json'], { env });
  const about = (ended: EndedCommand, subject: string) =>
    json<{ subject: string; state: string; text: string }[]>(ended).find((finding) => finding.subject === subject);

  it('finds nothing wrong with a folder that a first start would make, and makes nothing', async () => {
    const dataDir = join(folder, 'not', 'yet');
    const ended = await examine({ DATA_DIR: dataDir, PORT: '0' });
    expect(ended.code).toBe(0);
    expect(about(ended, 'data folder')).toMatchObject({ state: 'ok', text: expect.stringContaining('first start') });
    expect(about(ended, 'database')).toMatchObject({ state: 'ok' });
    expect(statSync(dataDir, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('says which setting is wrong', async () => {
    const ended = await examine({ PORT: 'many' });
    expect(ended.code).toBe(1);
    expect(about(ended, 'settings')).toMatchObject({ state: 'fault', text: expect.stringContaining('PORT') });
  });

  it('finds secrets that others may read', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'));
    writeFileSync(join(dataDir, 'credentials.json'), '{}');
    chmodSync(join(dataDir, 'credentials.json'), 0o644);
    const ended = await examine({ DATA_DIR: dataDir, PORT: '0' });
    expect(ended.code).toBe(1);
    expect(about(ended, 'secrets')).toMatchObject({
      state: 'fault',
      text: expect.stringContaining('credentials.json (mode 644)'),
    });
  });

  it('tells a running service from another program at its port, and a database that is not there', async () => {
    const { hostname, port } = new URL(service.url);
    const env = { DATA_DIR: folder, HOST: hostname, PORT: port, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
    const ended = await examine(env);
    expect(about(ended, 'port')).toMatchObject({ state: 'ok', text: expect.stringContaining('a service runs') });
    expect(about(ended, 'database')).toMatchObject({ state: 'fault', text: expect.stringContaining('none at 127.0.0.1:9') });
  });
});

describe('the command line', () => {
  it('lists its commands, and ends with 2 for one that it does not have', async () => {
    const { out } = await touchstone(['--help']);
    for (const name of [
      'start',
      'doctor',
      'login',
      'ingest',
      'search',
      'tail',
      'export',
      'dataset',
      'experiment',
      'gate',
      'backup',
      'restore',
      'mcp',
    ])
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    const run = promisify(execFile)(process.execPath, [LAUNCHER, 'flatter']);
    await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'flatter'") });
  });

  it('waits as long as the service asks for, and tries again', async () => {
    const asked: number[] = [];
    const { createServer } = await import('node:http');
    const busy = createServer((_req, res) => {
      asked.push(Date.now());
      if (asked.length < 3) res.writeHead(503, { 'retry-after': '0' }).end('{"detail":"busy"}');
      else res.writeHead(200, { 'content-type': 'application/json' }).end('{"email":"a@b.c"}');
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as { port: number };
    const home = mkdtempSync(join(folder, 'home-'));
    const done = await touchstone(['login', `http://127.0.0.1:${port}`, '--json'], {
      env: { XDG_CONFIG_HOME: home, SERVICE_API_KEY: 'k' },
    });
    await new Promise((resolve) => busy.close(resolve));
    expect({ code: done.code, asked: asked.length }).toEqual({ code: 0, asked: 3 });
  });

  it('shows progress where a person watches, and nowhere else', async () => {
    const lines = file('watched.jsonl', traceLine('x'));
    expect((await touchstone(['ingest', lines, '--project', 'watched'], { isWatched: true })).err).toMatch(/#+\] \d+\/\d+/);
    expect((await touchstone(['ingest', lines, '--project', 'watched'])).err).toBe('');
  });

  it.each(['bash', 'zsh', 'fish'])('writes a completion script for %s that knows every command', async (shell) => {
    const { out } = await touchstone(['completion', shell]);
    for (const word of ['doctor', 'dataset', 'push', 'replace', 'compare']) expect(out).toContain(word);
  });

  it('completes in bash what the words before the cursor lead to', async () => {
    const script = file('completion.bash', (await touchstone(['completion', 'bash'])).out);
    const complete = `source ${script}; COMP_WORDS=(touchstone dataset pu); COMP_CWORD=2; _touchstone; echo "\${COMPREPLY[*]}"`;
    expect((await promisify(execFile)('bash', ['-c', complete])).stdout).toBe('push pull\n');
  });
});
