import type { Config } from '../../config/env.ts';
import { rehearseUpgrade, type UpgradeRehearsal } from '../stored/rehearse-upgrade.ts';

/** Rehearses until it is done, or until the process is asked to end: what was made for it is taken away first. */
export async function rehearseUntilAsked(config: Config, folder: string): Promise<UpgradeRehearsal> {
  const asked = new AbortController();
  const end = () => asked.abort(new Error('asked to end'));
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    return await rehearseUpgrade(config, folder, asked.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}
