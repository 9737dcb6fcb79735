import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JudgeCallView } from '../../../core/scorers/evidence/judge-call.ts';
import { asks, type FakeProvider, type SeenRequest, startFakeProvider } from '../../../plugin-kit/fake-provider.ts';
import anthropicModels from '../../../plugins/model-providers/anthropic/replies/models.json' with { type: 'json' };
import anthropicReply from '../../../plugins/model-providers/anthropic/replies/structured.json' with { type: 'json' };
import customReply from '../../../plugins/model-providers/custom/replies/structured.json' with { type: 'json' };
import { account } from '../../../plugins/model-providers/vertex_ai/kit.ts';
import googleReply from '../../../plugins/model-providers/vertex_ai/replies/structured.json' with { type: 'json' };
import googleToken from '../../../plugins/model-providers/vertex_ai/replies/token.json' with { type: 'json' };
import { value } from '../../../testing/index.ts';
import { base64, dataUrl, PDF, PNG, WAV } from '../../fixtures/files/media.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

const REPLIES = [anthropicModels, anthropicReply, customReply, googleReply, googleToken];
const OF_CUSTOM = { endpoint: 'https://models.example.org/v1', authentication_type: 'none' };

let far: FakeProvider;
let server: TestServer;
let ada: Person;
let project_id: string;
let run_id: string;
beforeAll(async () => {
  far = await startFakeProvider();
  far.answer = (seen) => {
    const reply = REPLIES.find((one) => one.asks === asks(seen));
    return reply ? { body: JSON.stringify(reply.body) } : { status: 404, body: '' };
  };
  // Every address that a provider calls is the fake on loopback.
  const outbound = { fetch: far.fetch, allows: async () => true, close: async () => {} };
  server = await startTestServer({ overrides: { outbound: value(outbound) } });
  ada = await person(server);
  await connect('anthropic', { token: 'k' });
  await connect('vertex_ai', { token: JSON.stringify(account) });
  await connect('custom', { ...OF_CUSTOM, models: ['in-house-1', 'blind-1'], reads_files: ['image', 'audio', 'document'] });
});
afterAll(async () => {
  await server.close();
  await far.close();
});
beforeEach(async () => {
  far.seen.length = 0;
  project_id = (await ada.request('POST', '/v2/projects', { name: `files ${randomUUID()}` })).body.id;
  run_id = (await ada.request('POST', path('/log_streams'), { name: 'default' })).body.id;
});

const path = (rest: string) => `/v2/projects/${project_id}${rest}`;

async function connect(provider: string, settings: object): Promise<void> {
  const { status, body } = await ada.request('PUT', `/v2/integrations/${provider}`, settings);
  expect(status, JSON.stringify(body)).toBe(200);
}

async function enable(definition: object, types = ['llm']): Promise<void> {
  const scorer = { name: `red ${randomUUID()}`, scorer_type: 'llm', scoreable_node_types: types };
  const { id } = (await server.request('POST', '/v2/scorers', scorer)).body;
  const version = { num_judges: 1, cot_enabled: true, user_prompt: 'Is the dot red? {{input}}', ...definition };
  expect((await server.request('POST', `/v2/scorers/${id}/version/llm`, version)).status).toBe(200);
  const { status } = await ada.request('POST', path(`/runs/${run_id}/scorer-settings`), { scorers: [{ id, name: 'red' }] });
  expect(status).toBe(200);
}

/** Logs one model call with this content; returns the ids of the trace, of its span and of the files that this names. */
async function log(content: unknown): Promise<{ trace_id: string; span_id: string; file_ids: string[] }> {
  const [trace_id, span_id] = [randomUUID(), randomUUID()];
  const spans = [{ type: 'llm', id: span_id, input: [{ role: 'user', content }], output: 'red' }];
  const sent = { log_stream_id: run_id, traces: [{ id: trace_id, input: 'look', spans }] };
  expect((await ada.request('POST', path('/traces'), sent)).status).toBe(200);
  return { trace_id, span_id, file_ids: (await ada.request('GET', path(`/spans/${span_id}`))).body.file_ids };
}

async function scoreOf(record_id: string): Promise<{ at: string; score: Record<string, unknown> }> {
  const [score] = await eventually(async () => {
    const { body } = await ada.request('GET', path(`/runs/${run_id}/records/${record_id}/scores`));
    expect(body.scores).toHaveLength(1);
    return body.scores;
  });
  return { score, at: path(`/runs/${run_id}/records/${record_id}/scores/${score.scorer_version_id}`) };
}

const asked = (): SeenRequest[] => far.seen.filter((seen) => /completions|messages$|:generateContent/.test(asks(seen)));
// biome-ignore lint/suspicious/noExplicitAny: each vendor has a form of its own
const bodies = (): any[] => asked().map(({ body }) => JSON.parse(body));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const PICTURE = { type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } };
const SOUND = { type: 'input_audio', input_audio: { data: base64(WAV), format: 'wav' } };
const DOCUMENT = { type: 'file', file: { filename: 'a.pdf', file_data: dataUrl('application/pdf', PDF) } };
const ALL = [{ type: 'text', text: 'look' }, PICTURE, SOUND, DOCUMENT];

describe('a judge of a record with files', () => {
  it('is sent their bytes by the chat-completions protocol', async () => {
    await enable({ model_name: 'in-house-1' });
    const { span_id, file_ids } = await log(ALL);
    expect((await scoreOf(span_id)).score).toMatchObject({ status_type: 'success', value: true });
    const [{ messages }] = bodies();
    const [text, ...files] = messages.at(-1).content;
    expect(files).toEqual([
      { type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } },
      { type: 'input_audio', input_audio: { data: base64(WAV), format: 'wav' } },
      { type: 'file', file: { filename: expect.any(String), file_data: dataUrl('application/pdf', PDF) } },
    ]);
    const names = file_ids.map((id) => id.slice(0, 8));
    expect(text.text).toContain(`look\n[image: file ${names[0]}]\n[audio: file ${names[1]}]\n[document: file ${names[2]}]`);
    expect(text.text).toContain(`- file ${names[0]} (image/png): sent, number 1`);
    expect(text.text).toContain(`- file ${names[2]} (application/pdf): sent, number 3`);
  });

  it('is sent their bytes in the form of Anthropic, which hears nothing', async () => {
    await enable({ model_name: 'Claude Sonnet 4.5' });
    const { span_id, file_ids } = await log(ALL);
    await scoreOf(span_id);
    const [{ messages }] = bodies();
    const [text, ...files] = messages.at(-1).content;
    expect(files).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(PNG) } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64(PDF) } },
    ]);
    expect(text.text).toContain(`- file ${file_ids[1]!.slice(0, 8)} (audio/wav): not sent, the model does not read it`);
  });

  it('is sent their bytes in the form of Google', async () => {
    await enable({ model_name: 'gemini-2.5-flash' });
    await scoreOf((await log(ALL)).span_id);
    const [{ contents }] = bodies();
    expect(contents.at(-1).parts.slice(1)).toEqual([
      { inlineData: { mimeType: 'image/png', data: base64(PNG) } },
      { inlineData: { mimeType: 'audio/wav', data: base64(WAV) } },
      { inlineData: { mimeType: 'application/pdf', data: base64(PDF) } },
    ]);
  });

  it('of a trace and of a session is sent the files of their spans, each once', async () => {
    await enable({ model_name: 'in-house-1', input_type: 'trace_normalized', user_prompt: 'Is the dot red?' }, ['trace']);
    const { trace_id } = await log([PICTURE, PICTURE, SOUND]);
    await scoreOf(trace_id);
    const kinds = bodies()[0]
      .messages.at(-1)
      .content.map(({ type }: { type: string }) => type);
    expect(kinds).toEqual(['text', 'image_url', 'input_audio']);
  });

  it.each([
    ['its version says so', { include_files: false }, 'this judge is shown no files', false],
    ['they are more than it takes', { max_files: 1 }, '1 files are sent already', true],
    ['they are too large for it', { max_file_bytes: PNG.length + 1 }, 'it is too large', true],
  ])('is told which are left out because %s', async (_why, settings, reason, truncated) => {
    await enable({ model_name: 'in-house-1', ...settings });
    const { span_id } = await log([PICTURE, SOUND]);
    const { score } = await scoreOf(span_id);
    expect(score.truncated).toBe(truncated);
    const { content } = bodies()[0].messages.at(-1);
    const [text, ...files] = typeof content === 'string' ? [{ text: content }] : content;
    expect(text.text).toContain(`not sent, ${reason}`);
    expect(files).toHaveLength('include_files' in settings ? 0 : 1);
  });

  it('is told of files that the service does not have', async () => {
    await enable({ model_name: 'in-house-1' });
    const { span_id } = await log([
      { type: 'file', file_id: 'file-of-others' },
      { type: 'text', text: 'look' },
    ]);
    await scoreOf(span_id);
    expect(JSON.stringify(bodies()[0].messages)).toContain('- file file-of-others: not sent, its content is not kept');
  });

  it('keeps with its score which files it was sent, by their hashes, and is sent them again by a replay', async () => {
    await enable({ model_name: 'in-house-1' });
    const { span_id, file_ids } = await log([PICTURE]);
    const { at } = await scoreOf(span_id);
    const files = [{ file_id: file_ids[0], media_type: 'image/png', size_bytes: PNG.length, sha256: sha256(PNG) }];
    const { calls } = (await ada.request('GET', `${at}/calls`)).body;
    expect(calls[0].messages.at(-1)).toMatchObject({ role: 'user', files });
    expect(JSON.stringify(calls)).not.toContain(base64(PNG));
    far.seen.length = 0;
    const { status, body } = await ada.request('POST', `${at}/replay`, {});
    expect(status).toBe(200);
    expect(body.calls.map(({ messages }: JudgeCallView) => messages.at(-1)?.files)).toEqual([files]);
    expect(asked()[0]!.body).toContain(base64(PNG));
  });

  it('is answered from the cache for the same files alone', async () => {
    await enable({ model_name: 'in-house-1' });
    const other = Buffer.concat([PNG, Buffer.from('another')]);
    await scoreOf((await log([PICTURE])).span_id);
    await scoreOf((await log([PICTURE])).span_id);
    expect(asked()).toHaveLength(1);
    await scoreOf((await log([{ type: 'image_url', image_url: { url: dataUrl('image/png', other) } }])).span_id);
    expect(asked()).toHaveLength(2);
    expect(asked()[1]!.body).toContain(base64(other));
  });
});
