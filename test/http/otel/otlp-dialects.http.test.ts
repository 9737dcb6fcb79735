import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLUGIN } from '../../../config/plugin-scope.ts';
import { INSTALLED } from '../../../config/plugins.ts';
import type { WorkFacts } from '../../../core/kernel/ports.ts';
import { defineOtelDialect, RANK, source, textAt } from '../../../core/plugin-sdk/index.ts';
import { toRequest } from '../../fixtures/otel/otlp-bodies.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { newProject, records, send } from './otlp-client.ts';

let server: TestServer;
const contexts: WorkFacts[] = [];

/** Reads one field well, throws at another and gives a third in another shape. */
const broken = defineOtelDialect({
  id: 'broken',
  sdk: 1,
  stability: 'experimental',
  label: 'Broken',
  summary: 'A dialect with mistakes.',
  recognizes: { attributes: ['broken.'] },
  sources: {
    session: [textAt(RANK.beforeConventions, 'broken.visit')],
    input_text: [
      source(RANK.beforeConventions, (reader) => {
        contexts.push(server.cradle.workContext.current());
        throw new Error(`cannot read ${reader.text('broken.said')}`);
      }),
    ],
    num_input_tokens: [source(RANK.beforeConventions, (reader) => reader.text('broken.tokens') as unknown as number)],
  },
});

beforeAll(async () => {
  server = await startTestServer({ otelDialects: [...INSTALLED.otelDialects, broken] });
});
afterAll(() => server.close());

it('keeps the spans of a dialect that fails, with all that was sent, and logs each cause once, by its name', async () => {
  const project = await newProject(server, 'broken');
  const spans = Array.from({ length: 60 }, (_, at) => ({
    spanId: String(at + 1).padStart(16, '0'),
    attributes: { 'broken.visit': 'v-1', 'broken.said': `words-${at}`, 'broken.tokens': '12', 'input.value': 'a question' },
  }));
  for (const encoding of ['json', 'protobuf'] as const) {
    const reply = await send(server, toRequest({ spans }), { encoding, headers: { project: 'broken' } });
    expect(reply.status).toBe(200);
  }
  const kept = await records(server, project.id, 'spans');
  expect(kept).toHaveLength(60);
  for (const { input, user_metadata, metrics } of kept) {
    expect(input).toBe('a question');
    expect(user_metadata).toMatchObject({ 'broken.said': expect.stringMatching(/^words-\d+$/), 'broken.tokens': '12' });
    expect(metrics).not.toHaveProperty('num_input_tokens');
  }
  const { sessions } = await sessionsOf(project.id);
  expect(sessions).toMatchObject([{ external_id: 'v-1' }]);

  const lines = server.logged.filter((line) => line.includes('an OpenTelemetry dialect failed')).map((line) => JSON.parse(line));
  expect(lines.map(({ plugin, field, fault }) => [plugin, field, fault])).toEqual([
    ['broken', 'input_text', 'threw Error'],
    ['broken', 'num_input_tokens', 'is not a whole number'],
  ]);
  expect(lines[0].stack).toContain('otlp-dialects.http.test.ts');
  expect(JSON.stringify(server.logged)).not.toContain('words-');
});

it('runs dialects under their names, so that what they leave behind is known to be theirs', () => {
  expect(contexts.length).toBeGreaterThan(60);
  expect(new Set(contexts.map((facts) => facts[PLUGIN]))).toEqual(new Set(['openinference, broken']));
});

async function sessionsOf(project_id: string) {
  const [{ id: log_stream_id }] = (await server.request('GET', `/v2/projects/${project_id}/log_streams`)).body;
  const { body } = await server.request('POST', `/v2/projects/${project_id}/sessions/search`, { log_stream_id });
  return { sessions: body.records };
}
