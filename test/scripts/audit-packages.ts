import { spawnSync } from 'node:child_process';
import { z } from 'zod';

/** The part of the answer of `npm audit --json` that decides. */
const Audit = z.object({
  metadata: z.object({ vulnerabilities: z.object({ moderate: z.number(), high: z.number(), critical: z.number() }) }),
});

/**
 * Known faults of the packages that the service runs on. Ends with 0 only where the registry was asked and knows of none that is
 * high or critical, with 1 for those, and with 2 where nothing was checked. There is no package that keeps the advisories within
 * (those of npm are some 200 MB; what is called offline fetches them when it runs), so nothing stands in for the endpoint.
 */
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', shell: process.platform === 'win32' });
const audit = Audit.safeParse(readJson(stdout));
if (!audit.success) {
  console.error(`NOT CHECKED: the registry at hand has no answer to npm audit: ${reasonIn(stdout)}`);
  console.error('Run this where a registry with that endpoint is reached; no package carries the advisories along.');
  process.exitCode = 2;
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

function reasonIn(text: string): string {
  const { message, error } = (readJson(text) ?? {}) as { message?: unknown; error?: { summary?: unknown } };
  const reason = message ?? error?.summary;
  return (typeof reason === 'string' && reason !== '' ? reason : text.trim() || 'nothing at all').slice(0, 300);
}
