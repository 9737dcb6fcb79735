import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRow } from '../../senders/sender-row.ts';
import { DOCUMENTATION, readRow, SEEN, withTable } from '../../senders/sender-table.ts';
import { SENDERS } from '../../senders/senders.ts';
import { type Captured, readSent } from '../../senders/sent.ts';
import { type ShownRecord, toTraceView } from '../../senders/trace-view.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { newProject, records, sendBytes } from './otlp-client.ts';

/** `npm run otel:senders` names a folder of what senders sent just now. */
const { SENDERS_CAPTURED } = process.env;
const CAPTURED = SENDERS_CAPTURED ?? 'test/fixtures/otel/captured/requests';
const WORDS = ['Be brief.', 'What is the weather in Paris?', 'Paris is the capital of France.', 'sunny'];

const senders = SENDERS.filter(({ id }) => SENDERS_CAPTURED === undefined || existsSync(join(CAPTURED, `${id}.json`)));

let server: TestServer;
let project: { id: string; name: string };
beforeAll(async () => {
  server = await startTestServer();
  project = await newProject(server, 'senders');
});
afterAll(() => server.close());

describe.each(senders)('what $id sent', ({ id }) => {
  it('is seen in its traces, as the table of senders says', async () => {
    const { requests } = JSON.parse(readFileSync(join(CAPTURED, `${id}.json`), 'utf8')) as Captured;
    for (const { path, content_type, base64 } of requests) {
      const body = new Uint8Array(Buffer.from(base64, 'base64'));
      const headers = { project: project.name, logstream: id, 'content-type': content_type };
      const reply = await sendBytes(server, body, { path, headers });
      expect([reply.status, reply.bytes.toString()]).toEqual([200, content_type.includes('json') ? '{}' : '']);
    }
    const spans = (await records(server, project.id, 'spans', id)) as ShownRecord[];
    const traces = (await records(server, project.id, 'traces', id)) as ShownRecord[];
    for (const name of ['num_total_tokens', 'cost']) {
      const sum = (records: readonly ShownRecord[]) => records.reduce((all, { metrics }) => all + (metrics[name] ?? 0), 0);
      // Whoever adds up single calls comes to what the traces say.
      expect(sum(spans.filter(({ type }) => type === 'llm'))).toBeCloseTo(sum(traces), 9);
    }
    const row = toRow(readSent(requests), { traces, spans, sessions: await sessionsOf(traces) });
    if (SENDERS_CAPTURED !== undefined) return expect(row).toEqual(readRow(id));
    const shown = `${toTraceView(traces, spans, WORDS)}\n${JSON.stringify(row)}\n`;
    await expect(shown).toMatchFileSnapshot(join('../../..', SEEN, `${id}.txt`));
  });
});

it('stands in the documentation', () => {
  const documentation = readFileSync(DOCUMENTATION, 'utf8');
  expect(documentation).toBe(withTable(documentation));
});

async function sessionsOf(traces: readonly ShownRecord[]): Promise<string[]> {
  const ids = traces.map(({ id, session_id }) => (session_id === id ? undefined : session_id)).filter(Boolean);
  const found = await Promise.all(ids.map((id) => server.request('GET', `/v2/projects/${project.id}/sessions/${id}`)));
  return found.map(({ body }) => body.external_id);
}
