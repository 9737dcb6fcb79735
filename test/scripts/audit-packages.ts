import { spawnSync } from 'node:child_process';
import { z } from 'zod';

/** The part of the answer of `npm audit --json` that decides. */
const Audit = z.object({
  metadata: z.object({ vulnerabilities: z.object({ moderate: z.number(), high: z.number(), critical: z.number() }) }),
});

/**
 * Known faults of the packages that the service runs on. Ends with 1 for high and critical ones. A registry that has no
 * answer is no fault of a change: that is a warning.
 */
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', shell: process.platform === 'win32' });
const audit = Audit.safeParse(readJson(stdout));
if (!audit.success) {
  console.warn(`warning: the registry does not answer to npm audit, so nothing was checked: ${stdout.slice(0, 300)}`);
} else {
  const { moderate, high, critical } = audit.data.metadata.vulnerabilities;
  console.log(`known faults: ${critical} critical, ${high} high, ${moderate} moderate`);
  if (critical + high > 0) process.exitCode = 1;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
