import { expect, it } from 'vitest';
import { type TrafficRoute, type TrafficSessions, toTrafficTemplate, trafficBodies } from './traffic-template.ts';

const bodies = (route: TrafficRoute, sessions: TrafficSessions, traces: number, count: number): string[] => {
  const template = toTrafficTemplate({ route, sessions }, 'stream', traces, 1);
  const next = trafficBodies({ route, sessions }, [template], traces);
  return Array.from({ length: count }, () => next().toString('latin1'));
};
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;
const named = (body: string): string | undefined =>
  new RegExp(`(?:session_external_id|session.id).{0,30}?(${UUID.source})`, 's').exec(body)?.[1];

it.each(['json', 'otlp_protobuf', 'otlp_json'] as const)('makes new traces of about ten kilobytes for %s', (route) => {
  const [first = '', second] = bodies(route, 'none', 1, 2);
  expect(first.length).toBeGreaterThan(8_000);
  expect(first.length).toBeLessThan(25_000);
  expect(second).not.toBe(first);
  expect(second).toHaveLength(first.length);
  expect(first).not.toContain('000000004000');
});

it.each(['json', 'otlp_protobuf', 'otlp_json'] as const)(
  'brings a new session with each ten requests of one trace by %s',
  (route) => {
    const sessions = bodies(route, 'new', 1, 20).map(named);
    expect(new Set(sessions.slice(0, 10)).size).toBe(1);
    expect(new Set(sessions.slice(10)).size).toBe(1);
    expect(new Set(sessions).size).toBe(2);
  },
);

it('brings eight sessions with a batch of 73 traces, and of the known ones always some of the same', () => {
  const sessions = (kind: TrafficSessions, requests: number) =>
    new Set(
      bodies('json', kind, 73, requests).flatMap((body) => [...body.matchAll(/"session_id":"([^"]+)"/g)].map(([, id]) => id)),
    );
  expect(sessions('new', 3).size).toBe(24);
  expect(sessions('known', 20).size).toBeLessThanOrEqual(32);
});
