import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../env.ts';
import { makeDataDir } from '../keys/credentials.ts';
import type { ShutdownSequence } from '../process/shutdown-sequence.ts';

/**
 * Makes the data folder and returns the configuration that names it. A service that keeps everything in memory gets a temporary
 * one, which its owner alone can read and the end removes, so that what it generates and takes in is kept nowhere either.
 */
export async function openDataDir(config: Config, shutdown: ShutdownSequence): Promise<Config> {
  if (config.store === 'memory') {
    const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-memory-'));
    shutdown.add(() => rm(dataDir, { recursive: true, force: true }));
    return { ...config, dataDir };
  }
  await makeDataDir(config.dataDir);
  return config;
}
