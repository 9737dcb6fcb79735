import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** Where systems keep a Chromium, for those that the packaged one is not built for. */
const OF_THE_SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGS = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * A headless Chromium: `CHROMIUM_PATH`, the one that comes inside an npm package, or the system's. Rejects when there is
 * none that starts.
 */
export async function launchBrowser(): Promise<Browser> {
  const failures: string[] = [];
  for (const candidate of [given, packaged, ofTheSystem]) {
    try {
      const found = await candidate();
      if (found) return await chromium.launch({ ...found, args: [...ARGS, ...found.args] });
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`no Chromium starts here; set CHROMIUM_PATH to one\n${failures.join('\n')}`);
}

interface Found {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
}

// A container, and root, have no sandbox to give.
const SANDBOX = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

const given = async (): Promise<Found | undefined> =>
  process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH, args: SANDBOX } : undefined;

const ofTheSystem = async (): Promise<Found | undefined> => {
  const executablePath = OF_THE_SYSTEM.find((path) => existsSync(path));
  return executablePath === undefined ? undefined : { executablePath, args: SANDBOX };
};

/** Made for Linux on x64; it brings the libraries that a bare system lacks. */
async function packaged(): Promise<Found | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const { default: packaging, inflate } = await import('@sparticuz/chromium');
  const executablePath = await packaging.executablePath();
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  await inflate(join(dirname(entry), '../bin/al2023.tar.br'));
  const libraries = join(tmpdir(), 'al2023/lib');
  const env = Object.fromEntries(Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined));
  // Behind the system's own: those fit its fonts and its C library better.
  return { executablePath, args: ['--no-sandbox', '--headless=shell'], env: { ...env, LD_LIBRARY_PATH: libraries } };
}
