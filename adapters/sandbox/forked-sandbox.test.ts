import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Log } from '../../core/kernel/ports.ts';
import type { Program } from '../../core/scorers/scoring/code-sandbox.ts';
import { codeSandboxContract } from '../../test/contracts/code-sandbox.contract.ts';
import { builtInLanguages } from '../../test/setup/built-in-languages.ts';
import { getChildren } from '../../test/setup/child-processes.ts';
import { DEFAULT_SANDBOX_SETTINGS, ForkedSandbox, type SandboxSettings } from './forked-sandbox.ts';
import { residentMb } from './process-wall.ts';

const ROOT = join(import.meta.dirname, '../..');
const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} };
const LOOP: Program = { language: 'javascript', source: 'function scorer() { for (;;); }' };
const USE = { project_id: 'p', scorer_id: 's' };
const PYTHON: Program = { language: 'python', source: 'def scorer(record):\n    return 1' };
const HARMLESS: Program = { language: 'javascript', source: 'function scorer() { return 1 }' };

const pythonProcesses = (): number[] =>
  getChildren(process.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('python-main'));

const open: ForkedSandbox[] = [];
const folders: string[] = [];
function sandbox(settings: Partial<SandboxSettings> = {}, log = SILENT): ForkedSandbox {
  const made = new ForkedSandbox({ settings: { ...DEFAULT_SANDBOX_SETTINGS, ...settings }, languages: builtInLanguages, log });
  open.push(made);
  return made;
}

/** Programs that end do so in a few milliseconds, on a busy machine in more; those that do not take all of it. */
const PATIENT = { run_ms: 1_000, kill_grace_ms: 2_000 };

codeSandboxContract('forked', async () => {
  const port = new ForkedSandbox({
    settings: { ...DEFAULT_SANDBOX_SETTINGS, ...PATIENT },
    languages: builtInLanguages,
    log: SILENT,
  });
  return { port, close: () => port.close() };
});

describe('ForkedSandbox', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((made) => made.close()));
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  it('starts nothing before the first call', async () => {
    sandbox();
    await sleep(50);
    expect(getChildren(process.pid)).toStrictEqual([]);
  });

  it('ends its processes when it is closed, also under way', async () => {
    const made = sandbox({ run_ms: 20_000 });
    await made.run(HARMLESS, ['1'], USE);
    const under_way = made.run(LOOP, ['1'], USE);
    const rejected = expect(under_way).rejects.toThrow('closed');
    await sleep(200);
    await made.close();
    await rejected;
    expect(getChildren(process.pid)).toStrictEqual([]);
  });

  it('says behind which walls its processes start', async () => {
    const lines: unknown[] = [];
    await sandbox({}, { ...SILENT, info: (message, fields) => lines.push(message, fields) }).run(HARMLESS, ['1'], USE);
    expect(lines).toStrictEqual([expect.stringContaining('walls'), { walls: expect.any(Array) }]);
  });

  it('replaces a process after its last isolate', async () => {
    const made = sandbox({ jobs_per_child: 3, children: 1 });
    for (let n = 0; n < 20; n += 1) expect(await made.run(HARMLESS, ['1'], USE)).toStrictEqual([{ kind: 'returned', value: 1 }]);
  });

  it.runIf(existsSync('/proc/self/status'))(
    'does not end processes of one language for those of another that has its own',
    async () => {
      // Room for two of one language and two of the other.
      const made = sandbox({ run_ms: 20_000, total_rss_mb: 1_600 });
      const twice = (program: Program) => Promise.all([1, 2].map(() => made.run(program, ['1'], USE)));
      const both = async () => [await twice(PYTHON), await twice(HARMLESS)];
      await both();
      const before = pythonProcesses();
      for (let round = 0; round < 5; round += 1) await both();
      expect(before).not.toStrictEqual([]);
      expect(pythonProcesses()).toStrictEqual(before);
    },
  );

  it('ends a free process of one language for the first of another that has no room beside it', async () => {
    const { python_rss_mb } = DEFAULT_SANDBOX_SETTINGS;
    const made = sandbox({ run_ms: 20_000, total_rss_mb: python_rss_mb, children: 1 });
    for (const program of [HARMLESS, PYTHON, HARMLESS, PYTHON])
      expect(await made.run(program, ['1'], USE)).toStrictEqual([{ kind: 'returned', value: 1 }]);
  });

  it.each([
    ['whose other language takes all the memory that there is', {}, [PYTHON, PYTHON, PYTHON]],
    ['where there is memory for one process', { total_rss_mb: DEFAULT_SANDBOX_SETTINGS.rss_mb }, []],
  ])('serves a project that had trouble, %s', async (_what, settings, others) => {
    const made = sandbox({ ...PATIENT, ...settings });
    expect(await made.run(LOOP, ['1'], USE)).toMatchObject([{ kind: 'timed_out' }]);
    await Promise.all(others.map((program) => made.run(program, ['1'], USE)));
    expect(await made.run(HARMLESS, ['1'], USE)).toStrictEqual([{ kind: 'returned', value: 1 }]);
  });

  it('is right with the smallest chunks', async () => {
    const records = Array.from({ length: 30 }, (_, n) => `${n}`);
    const made = sandbox({ chunk_records: 1, children: 1 });
    const outcomes = await made.run({ language: 'javascript', source: 'const scorer = (n) => n' }, records, USE);
    expect(outcomes).toStrictEqual(records.map((_, n) => ({ kind: 'returned', value: n })));
  });

  it.runIf(existsSync('/proc/self/environ'))('gives its processes no environment, no root and no new privileges', async () => {
    process.env.TOUCHSTONE_CANARY = 'canary-20cc';
    await sandbox().run(HARMLESS, ['1'], USE);
    delete process.env.TOUCHSTONE_CANARY;
    for (const pid of getChildren(process.pid)) {
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
      // The spare may still be starting, with the rights it is about to give up; each thread has its own.
      await expect.poll(() => threadStatuses(pid).every((status) => /^CapEff:\s+0+$/m.test(status))).toBe(true);
      if (process.getuid!() !== 0) continue;
      for (const status of threadStatuses(pid)) expect(status).toMatch(/^Uid:\s+65534\s+65534\s+65534\s+65534$/m);
    }
  });

  it.runIf(existsSync('/proc/self/status'))('runs a record again when its process is lost', async () => {
    const made = sandbox({ run_ms: 20_000 });
    await made.run(HARMLESS, ['1'], USE);
    const source = 'function scorer() { const end = Date.now() + 400; while (Date.now() < end); return 1 }';
    const outcomes = made.run({ language: 'javascript', source }, ['1'], USE);
    await sleep(150);
    for (const pid of getChildren(process.pid)) process.kill(pid, 'SIGKILL');
    expect(await outcomes).toStrictEqual([{ kind: 'returned', value: 1 }]);
  });

  // Without the two memory watchdogs (`rss_mb: 100_000`) this test fails: the peak was 848 MB within one second.
  it.runIf(existsSync('/proc/self/status'))('kills a process that takes too much memory', async () => {
    const made = sandbox({ run_ms: 1_500, kill_grace_ms: 500, children: 1 });
    let peak = 0;
    const watch = setInterval(() => {
      for (const pid of getChildren(process.pid)) peak = Math.max(peak, residentMb(pid) ?? 0);
    }, 5);
    for (const grow of ['new Array(1000).fill(keep.length)', 'new Array(1e5).fill(0.5)', '("x" + keep.length).repeat(1e4)']) {
      const source = `function scorer() { const keep = []; for (;;) keep.push(${grow}); }`;
      const [outcome] = await made.run({ language: 'javascript', source }, ['1'], USE);
      expect(['out_of_memory', 'timed_out']).toContain(outcome!.kind);
    }
    clearInterval(watch);
    expect(peak).toBeGreaterThan(50);
    expect(peak).toBeLessThan(DEFAULT_SANDBOX_SETTINGS.rss_mb + 200);
  });

  it.runIf(existsSync('/proc/self/status'))('leaves no process behind when the server is killed', async () => {
    const server = serverIn(ROOT, { ...DEFAULT_SANDBOX_SETTINGS, run_ms: 60_000 }, LOOP);
    await expect.poll(() => getChildren(server.pid!).length).toBeGreaterThan(1);
    const children = getChildren(server.pid!);
    server.kill('SIGKILL');
    await once(server, 'close');
    await expect.poll(() => children.filter((pid) => existsSync(`/proc/${pid}`))).toStrictEqual([]);
  });

  it('works from a folder with spaces and odd characters', async () => {
    const folder = mkdtempSync(join(tmpdir(), "a folder, 'odd' ü "));
    folders.push(folder);
    cpSync(join(ROOT, 'adapters/sandbox'), join(folder, 'adapters/sandbox'), { recursive: true });
    for (const needed of ['core/kernel', 'core/scorers/languages'])
      cpSync(join(ROOT, needed), join(folder, needed), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const server = serverIn(folder, DEFAULT_SANDBOX_SETTINGS, HARMLESS);
    let printed = '';
    server.stdout!.on('data', (text) => {
      printed += text;
    });
    await once(server, 'close');
    expect(printed).toBe('[{"kind":"returned","value":1}]');
  });
});

/** Another process that opens a sandbox, runs the program once and prints the outcomes. */
function serverIn(root: string, settings: SandboxSettings, program: Program): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  folders.push(folder);
  const script = join(folder, 'server.mjs');
  writeFileSync(
    script,
    `const { ForkedSandbox } = await import(process.argv[2]);
     const [settings, program] = process.argv.slice(3).map((text) => JSON.parse(text));
     const log = { info() {}, warn() {}, error() {} };
     const languages = [{ id: 'javascript', extension: '.js' }];
     const sandbox = new ForkedSandbox({ settings, languages, log });
     process.stdout.write(JSON.stringify(await sandbox.run(program, ['1'], { project_id: 'p', scorer_id: 's' })));
     await sandbox.close();`,
  );
  const entry = join(root, 'adapters/sandbox/forked-sandbox.ts');
  return spawn(process.execPath, [script, entry, JSON.stringify(settings), JSON.stringify(program)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function threadStatuses(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'));
}
