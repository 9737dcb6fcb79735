import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../core/kernel/json.ts';
import { base64, dataUrl, PDF, PNG, WAV } from '../../fixtures/files/media.ts';
import type { ShortSpan } from '../../fixtures/otel/short-form.ts';
import { eventually } from '../../setup/timing.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';
import { openOtlpProject } from '../otel/otlp-client.ts';
import { bytesOf } from './file-fixture.ts';

type Attributes = Readonly<Record<string, JsonValue>>;

const TEXT = { type: 'text', text: 'which colour?' };
const chat = (attributes: Attributes): ShortSpan => ({
  spanId: '00f067aa0ba902b7',
  name: 'chat',
  attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', ...attributes },
});
const asked = (...content: JsonValue[]): string => JSON.stringify([{ role: 'user', content }]);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function open() {
  const { id, sendSpans, sendLogs, span, trace } = await openOtlpProject(server);
  return {
    span,
    trace,
    sendSpan: async (one: ShortSpan) => {
      const reply = await sendSpans(one);
      expect([reply.status, reply.bytes.toString()]).toEqual([200, expect.not.stringContaining('rejected')]);
    },
    sendLog: async (eventName: string, body: object) => {
      const log = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', eventName, body };
      expect((await sendLogs([log])).status).toBe(200);
    },
    read: async (file_id: string) =>
      bytesOf(await fetch(`${server.url}/v2/projects/${id}/files/${file_id}`, { headers: { 'service-api-key': ADMIN.api_key } })),
  };
}

const openInference = (member: string, url: string): Attributes => ({
  'openinference.span.kind': 'LLM',
  'llm.input_messages.0.message.role': 'user',
  'llm.input_messages.0.message.contents.0.message_content.type': 'text',
  'llm.input_messages.0.message.contents.0.message_content.text': TEXT.text,
  'llm.input_messages.0.message.contents.1.message_content.type': member,
  [`llm.input_messages.0.message.contents.1.message_content.${member}.${member}.url`]: url,
});
const genAi = (part: JsonValue): Attributes => ({
  'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: TEXT.text }, part] }]),
});
const openllmetry = (part: JsonValue): Attributes => ({
  'llm.request.type': 'chat',
  'gen_ai.prompt.0.role': 'user',
  'gen_ai.prompt.0.content': JSON.stringify([TEXT, part]),
});
const aiSdk = (part: JsonValue): Attributes => ({
  'ai.operationId': 'ai.generateText.doGenerate',
  'ai.prompt.messages': asked(TEXT, part),
});
const langfuse = (part: JsonValue): Attributes => ({
  'langfuse.observation.type': 'generation',
  'langfuse.observation.input': asked(TEXT, part),
});

const mlflow = (part: JsonValue): Attributes => ({
  'mlflow.spanType': 'CHAT_MODEL',
  'mlflow.spanInputs': JSON.stringify({ messages: [{ role: 'user', content: [TEXT, part] }] }),
});
const openInferenceValue = (part: JsonValue): Attributes => ({
  'openinference.span.kind': 'LLM',
  'input.mime_type': 'application/json',
  'input.value': JSON.stringify({ messages: [{ role: 'user', content: [TEXT, part] }] }),
});
const DIALECTS = {
  gen_ai: genAi,
  OpenLLMetry: openllmetry,
  'the AI SDK': aiSdk,
  Langfuse: langfuse,
  MLflow: mlflow,
  'OpenInference, not flattened': openInferenceValue,
};

/** Parts of messages as vendors have them, each with the bytes of its file. */
const SHAPES: Readonly<Record<string, readonly [JsonValue, Buffer]>> = {
  image_url: [{ type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } }, PNG],
  input_image: [{ type: 'input_image', image_url: dataUrl('image/png', PNG) }, PNG],
  input_audio: [{ type: 'input_audio', input_audio: { data: base64(WAV), format: 'wav' } }, WAV],
  file: [{ type: 'file', file: { filename: 'terms.pdf', file_data: dataUrl('application/pdf', PDF) } }, PDF],
  input_file: [{ type: 'input_file', filename: 'terms.pdf', file_data: dataUrl('application/pdf', PDF) }, PDF],
  'document of Anthropic': [
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64(PDF) } },
    PDF,
  ],
  'image of Anthropic': [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(PNG) } }, PNG],
  inline_data: [{ inline_data: { mime_type: 'audio/wav', data: base64(WAV) } }, WAV],
  inlineData: [{ inlineData: { mimeType: 'image/png', data: base64(PNG) } }, PNG],
  'image of Bedrock': [{ image: { format: 'png', source: { bytes: base64(PNG) } } }, PNG],
  'document of Bedrock': [{ document: { format: 'pdf', name: 'terms', source: { bytes: base64(PDF) } } }, PDF],
  blob: [{ type: 'blob', modality: 'image', mime_type: 'image/png', content: base64(PNG) }, PNG],
};

describe('files of records that came by OpenTelemetry', () => {
  it.each([
    ['OpenInference', openInference('image', dataUrl('image/png', PNG)), PNG, 'image'],
    ['OpenInference with sound', openInference('audio', dataUrl('audio/wav', WAV)), WAV, 'audio'],
    ['gen_ai', genAi({ type: 'blob', modality: 'image', mime_type: 'image/png', content: base64(PNG) }), PNG, 'image'],
    ['OpenLLMetry', openllmetry({ type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } }), PNG, 'image'],
    [
      'OpenLLMetry with sound',
      openllmetry({ type: 'input_audio', input_audio: { data: base64(WAV), format: 'wav' } }),
      WAV,
      'audio',
    ],
    ['the AI SDK', aiSdk({ type: 'image', image: base64(PNG) }), PNG, 'image'],
    ['the AI SDK with a file', aiSdk({ type: 'file', mediaType: 'application/pdf', data: base64(PDF) }), PDF, 'document'],
    [
      'Langfuse',
      langfuse({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(PNG) } }),
      PNG,
      'image',
    ],
    ['Langfuse with Gemini', langfuse({ inline_data: { mime_type: 'audio/wav', data: base64(WAV) } }), WAV, 'audio'],
    [
      'Langfuse with a part of type inline_data',
      langfuse({ type: 'inline_data', inline_data: { mime_type: 'audio/wav', data: base64(WAV) } }),
      WAV,
      'audio',
    ],
    ['Langfuse with Bedrock', langfuse({ image: { format: 'png', source: { bytes: base64(PNG) } } }), PNG, 'image'],
    [
      'Langfuse with a document of Bedrock',
      langfuse({ document: { format: 'pdf', name: 'terms', source: { bytes: base64(PDF) } } }),
      PDF,
      'document',
    ],
  ])('are kept in place of the content in messages of %s', async (_sender, attributes, bytes, modality) => {
    const project = await open();
    await project.sendSpan(chat(attributes));
    const span = await project.span();
    const [file_id] = span.file_ids;
    expect(span.input).toEqual([{ role: 'user', content: [TEXT, { type: 'file', file_id, modality }] }]);
    expect(span.files[file_id]).toMatchObject({ status: 'complete', modality, size_bytes: bytes.length });
    expect(await project.read(file_id)).toEqual(bytes);
    expect((await project.trace()).input).toBe(`${TEXT.text}\n[${modality}]`);
    expect(JSON.stringify([span, await project.trace()])).not.toContain(base64(bytes));
  });

  describe.each(Object.entries(DIALECTS))('in messages of %s', (_dialect, toAttributes) => {
    it.each(Object.entries(SHAPES))('are kept in place of the content of a part such as %s', async (_shape, [part, bytes]) => {
      const project = await open();
      await project.sendSpan(chat(toAttributes(part)));
      const span = await project.span();
      expect(span.file_ids).toHaveLength(1);
      expect(await project.read(span.file_ids[0])).toEqual(bytes);
      expect(JSON.stringify([span, await project.trace()])).not.toContain(base64(bytes));
    });
  });

  it('are kept once where the sender has the whole request beside its messages', async () => {
    const project = await open();
    const url = dataUrl('image/png', PNG);
    const request = { model: 'm', messages: [{ role: 'user', content: [TEXT, { type: 'image_url', image_url: { url } }] }] };
    await project.sendSpan(chat({ ...openInference('image', url), 'input.value': JSON.stringify(request) }));
    const span = await project.span();
    expect(span.file_ids).toHaveLength(1);
    expect(JSON.parse(span.user_metadata['input.value']).messages[0].content[1].image_url).toEqual({
      url: '[same as input[0].content[1]]',
    });
  });

  it('are those of answers and of results of tools too', async () => {
    const project = await open();
    const picture = { type: 'image', data: base64(PNG), mime_type: 'image/png' };
    const result = { type: 'tool_call_response', id: 't', response: [{ type: 'text', text: 'drawn' }, picture] };
    await project.sendSpan(
      chat({
        'gen_ai.input.messages': JSON.stringify([{ role: 'tool', parts: [result] }]),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [picture] }]),
      }),
    );
    const { input, output, file_ids } = await project.span();
    const part = { type: 'file', file_id: file_ids[0], modality: 'image' };
    expect(file_ids).toHaveLength(1);
    expect(input).toEqual([{ role: 'tool', tool_call_id: 't', content: [{ type: 'text', text: 'drawn' }, part] }]);
    expect(output).toEqual({ role: 'assistant', content: [part] });
  });

  it('are kept whole where they are larger than texts may be', async () => {
    const project = await open();
    const large = Buffer.concat([PNG, Buffer.alloc(2_000_000, 1)]);
    await project.sendSpan(chat(genAi({ type: 'blob', modality: 'image', mime_type: 'image/png', content: base64(large) })));
    const span = await project.span();
    expect(span.files[span.file_ids[0]]).toMatchObject({ status: 'complete', size_bytes: large.length });
    expect(await project.read(span.file_ids[0])).toEqual(large);
  });

  it.each([
    ['broken', 'iVBORw0KGgo not base64 AAAA', '[image: image/png]'],
    ['cut off', base64(PNG).slice(0, 93), '[image: image/png]'],
    ['empty', '', '[image: image/png]'],
  ])('leave a text that names them where their content is %s', async (_fault, content, text) => {
    const project = await open();
    await project.sendSpan(chat(genAi({ type: 'blob', modality: 'image', mime_type: 'image/png', content })));
    const span = await project.span();
    expect(span).toMatchObject({ input: [{ role: 'user', content: `${TEXT.text}\n${text}` }], file_ids: [], files: null });
  });

  it('are kept where messages are logged beside their span', async () => {
    const project = await open();
    await project.sendSpan(chat({}));
    await project.sendLog('gen_ai.user.message', {
      content: [TEXT, { type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } }],
    });
    await eventually(async () => expect((await project.span()).file_ids).toHaveLength(1));
    const { input, file_ids } = await project.span();
    expect(input[0].content).toEqual([TEXT, { type: 'file', file_id: file_ids[0], modality: 'image' }]);
    expect(await project.read(file_ids[0])).toEqual(PNG);
  });
});
