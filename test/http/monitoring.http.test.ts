import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupGauges } from '../../config/process/backup-verifier.ts';
import { ADMIN, startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
let served: ReadonlySet<string>;

const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');
/** Names of metrics in an expression; `up` is Prometheus' own. */
const namesIn = (text: string): string[] => [...new Set(text.match(/\b(?:touchstone|nodejs|process)_[a-z0-9_]+/g) ?? [])];

beforeAll(async () => {
  server = await startTestServer();
  await server.request('GET', '/v2/projects');
  const metrics = await fetch(`${server.url}/metrics`, { headers: { 'service-api-key': ADMIN.api_key } });
  served = new Set((await metrics.text()).split('\n').flatMap((line) => /^([a-z0-9_]+)[{ ]/.exec(line)?.[1] ?? []));
});
afterAll(() => server.close());

describe('the files for monitoring', () => {
  it('name metrics that the service serves, the dashboard and the rules alike', () => {
    for (const path of ['prometheus/touchstone-rules.yml', 'grafana/touchstone.json']) {
      const named = namesIn(read(path));
      expect(named.length).toBeGreaterThan(5);
      // Those of the process are there beside the ones of its services.
      const ofProcess = backupGauges('.').map(({ name }) => name);
      expect(named.filter((name) => !served.has(name) && !ofProcess.includes(name))).toEqual([]);
    }
  });

  it('leave out none of the service’s own metrics', () => {
    const own = [...served].filter((name) => name.startsWith('touchstone_') && !/_(?:count|sum|bucket)$/.test(name));
    const shown = new Set(namesIn(read('grafana/touchstone.json')));
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('make a dashboard of panels that do not overlap, each with a query', () => {
    const { panels } = JSON.parse(read('grafana/touchstone.json')) as {
      panels: { id: number; title: string; targets: { expr: string }[]; gridPos: Record<'x' | 'y' | 'w' | 'h', number> }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { title, targets, gridPos } of panels) {
      expect(targets.every(({ expr }) => expr.includes('$job') && balanced(expr))).toBe(true);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([title, x < 24, taken.has(`${x} ${y}`)]).toEqual([title, true, false]);
          taken.add(`${x} ${y}`);
        }
    }
  });

  it('have a severity, a summary and a description for each alert, and a row for it among what to watch', () => {
    const rules = read('prometheus/touchstone-rules.yml').split('- alert: ').slice(1);
    expect(rules.length).toBeGreaterThanOrEqual(9);
    for (const rule of rules) {
      expect(rule).toMatch(/\bseverity: (?:warning|critical)\b[\s\S]*\bsummary: \S[\s\S]*\bdescription: \S/);
      expect(balanced(rule)).toBe(true);
    }
  });
});

function balanced(text: string): boolean {
  const open: string[] = [];
  const pairs: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
  for (const sign of text.replaceAll(/"[^"]*"/g, '')) {
    if ('([{'.includes(sign)) open.push(sign);
    else if (sign in pairs && open.pop() !== pairs[sign]) return false;
  }
  return open.length === 0;
}
