import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { Part } from './parts.ts';

export const Proven = z.object({
  part: z.string(),
  promises: z.string(),
  commit: z.string(),
  /** Whether there were changes that the commit does not have. */
  is_dirty: z.boolean().default(false),
  date: z.string(),
  machine: z.string(),
  settings: z.record(z.string(), z.string()),
  seconds: z.number(),
  passed: z.number(),
  failed: z.array(z.string()),
  /** Parts that could not be run on the machine. */
  skipped: z.array(z.string()),
  /** Lines of figures that the tests print. */
  figures: z.array(z.string()),
  /** Tests that break a rule and see that it is noticed. */
  controls: z.array(z.string()),
});
export type Proven = z.infer<typeof Proven>;

/** Where and when. */
export type Circumstances = Pick<Proven, 'commit' | 'is_dirty' | 'date' | 'machine'>;

const FIGURES = /^(P\d+b?|fuzz|access matrix|backup under load|amplification|sandbox|secrets|not tried|judging):/;
/** How negative controls are called throughout. */
const CONTROL = /\bwould (not )?(be|come|show)\b|the access matrix fails/;

const Results = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Runs the tests of a part in processes of their own, and gathers what they print. */
export async function runPart(part: Part, isQuick: boolean, circumstances: Circumstances): Promise<Proven> {
  const settings = (isQuick ? part.quick : part.full) ?? {};
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-prove-'));
  const file = join(folder, 'results.json');
  const began = performance.now();
  try {
    const printed = await vitest(part, settings, file);
    const { testResults } = Results.parse(JSON.parse(await readFile(file, 'utf8')));
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const named = (status: string) => tests.filter((one) => one.status === status).map(({ fullName }) => fullName.trim());
    const broken = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
    return {
      part: part.name,
      promises: part.promises,
      ...circumstances,
      settings,
      seconds: Math.round((performance.now() - began) / 1000),
      passed: named('passed').length,
      failed: [
        ...named('failed'),
        ...broken.map(({ name }) => `${name} did not run`),
        ...(tests.length === 0 ? ['nothing ran'] : []),
      ],
      skipped: named('skipped'),
      figures: printed.filter((line) => FIGURES.test(line)),
      controls: named('passed').filter((name) => CONTROL.test(name)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function vitest({ project, files }: Part, settings: Readonly<Record<string, string>>, file: string): Promise<string[]> {
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    `${project}*`,
    '--no-file-parallelism',
    '--reporter=json',
    `--outputFile=${file}`,
    ...files,
  ];
  const env = { ...process.env, JUDGE_TIMES: '1', ...settings };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      process.stderr.write(chunk);
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(stripVTControlCharacters(printed).split('\n')));
  });
}
