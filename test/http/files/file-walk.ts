import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base64, dataUrl, PDF, PNG, WAV } from '../../fixtures/files/media.ts';
import type { TestServer } from '../harness.ts';
import { bytesOf, type FileFixture, inNewProject } from './file-fixture.ts';

/** The life of a file from the time it is sent to the time it goes, by HTTP, on a service with any stores. */
export function filesOf(adapter: string, start: () => Promise<TestServer>): void {
  describe(`files of records, ${adapter}`, () => {
    let server: TestServer;
    let project: FileFixture;
    beforeAll(async () => {
      server = await start();
      project = await inNewProject(server);
    });
    afterAll(() => server.close());

    const inputOf = async (span_id: string) => (await project.call('GET', `/spans/${span_id}`)).input[0].content;

    it('walks with a picture that was sent inline: kept, shown, read back, searched, exported, sent again, deleted', async () => {
      const parts = [
        { type: 'text', text: 'which colour?' },
        { type: 'image_url', image_url: { url: dataUrl('image/png', PNG), detail: 'low' } },
      ];
      const { trace_id, span_id } = await project.logCall([{ role: 'user', content: parts }], { tags: ['walk'] });

      const span = await project.call('GET', `/spans/${span_id}`);
      const [file_id] = span.file_ids;
      expect(span.input[0].content).toEqual([parts[0], { type: 'file', file_id, modality: 'image' }]);
      expect(span.file_modalities).toEqual(['image']);
      const view = { file_id, modality: 'image', source: 'direct_upload', status: 'complete', content_type: 'image/png' };
      expect(span.files).toEqual({ [file_id]: expect.objectContaining({ ...view, size_bytes: PNG.length }) });
      const trace = await project.call('GET', `/traces/${trace_id}`);
      expect(trace).toMatchObject({ file_ids: [], file_modalities: [], files: null, spans: [{ file_ids: [file_id] }] });

      const reply = await project.download(file_id);
      expect(reply.status).toBe(200);
      expect(await bytesOf(reply)).toEqual(PNG);
      expect(reply.headers.get('content-type')).toBe('image/png');
      expect(reply.headers.get('content-disposition')).toMatch(/^inline; filename="[\w-]+\.png"/);
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect((await project.download(file_id, {})).status).toBe(401);

      const found = async (value: unknown, column_id = 'file_modalities') => {
        const filter_tree = { filter: { type: 'collection', column_id, operator: 'contains', value } };
        const body = { log_stream_id: project.log_stream_id, filter_tree };
        return (await project.call('POST', '/spans/search', body)).records.map(({ id }: { id: string }) => id);
      };
      expect(await found('image')).toEqual([span_id]);
      expect(await found('audio')).toEqual([]);
      expect(await found([file_id], 'file_ids')).toEqual([span_id]);

      const lines = await project.call('POST', '/export_records', { log_stream_id: project.log_stream_id, root_type: 'span' });
      expect(lines).toContain(file_id);
      expect(lines).not.toContain(base64(PNG));

      const again = await project.logCall([{ role: 'user', content: parts }]);
      expect((await project.call('GET', `/spans/${again.span_id}`)).file_ids).toEqual([file_id]);
      const remove = (id: string) => {
        const filters = [{ type: 'id', column_id: 'id', operator: 'eq', value: id }];
        return project.call('POST', '/traces/delete', { log_stream_id: project.log_stream_id, filters });
      };
      await remove(trace_id);
      await project.sweep();
      expect((await project.download(file_id)).status).toBe(200);
      await remove(again.trace_id);
      expect((await project.download(file_id)).status).toBe(404);
      await project.sweep();
      expect((await project.download(file_id)).status).toBe(404);
      expect(await server.cradle.fileContents.find({ project_id: project.project_id, id: file_id })).toBeUndefined();
      expect(await server.cradle.fileStore.bytesIn(project.project_id)).toBe(0);
    });

    it.each([
      ['of OpenAI', { type: 'image_url', image_url: dataUrl('image/png', PNG) }, PNG, 'image'],
      ['of its responses', { type: 'input_image', image_url: dataUrl('image/png', PNG) }, PNG, 'image'],
      ['of OpenAI with sound', { type: 'input_audio', input_audio: { data: base64(WAV), format: 'wav' } }, WAV, 'audio'],
      [
        'of OpenAI with a file',
        { type: 'file', file: { filename: 'a.pdf', file_data: dataUrl('application/pdf', PDF) } },
        PDF,
        'document',
      ],
      ['of Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(PNG) } }, PNG, 'image'],
      [
        'of Anthropic with a document',
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64(PDF) } },
        PDF,
        'document',
      ],
      ['of Gemini', { type: 'inline_data', inline_data: { mime_type: 'audio/wav', data: base64(WAV) } }, WAV, 'audio'],
      ['of Bedrock', { type: 'image', image: { format: 'png', source: { bytes: base64(PNG) } } }, PNG, 'image'],
      ['of the AI SDK', { type: 'file', mediaType: 'application/pdf', data: base64(PDF) }, PDF, 'document'],
      ['of LangChain', { type: 'audio', source_type: 'base64', mime_type: 'audio/wav', data: base64(WAV) }, WAV, 'audio'],
      ['of OpenTelemetry', { type: 'blob', mime_type: 'image/png', modality: 'image', content: base64(PNG) }, PNG, 'image'],
    ])('makes a file of a content block %s', async (_name, block, bytes, modality) => {
      const { span_id } = await project.logCall([{ role: 'user', content: [{ type: 'text', text: 'see' }, block] }]);
      const [, { file_id, ...rest }] = await inputOf(span_id);
      expect(rest).toEqual({ type: 'file', modality });
      expect(await bytesOf(await project.download(file_id))).toEqual(bytes);
    });

    it('makes a file of a text that is a data URL, and of one in the result of a tool', async () => {
      const result = {
        type: 'tool_result',
        tool_use_id: 't',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64(PNG) } }],
      };
      const messages = [
        { role: 'user', content: dataUrl('image/png', PNG) },
        { role: 'user', content: [result] },
      ];
      const { span_id } = await project.logCall(messages);
      const { input, file_ids } = await project.call('GET', `/spans/${span_id}`);
      const part = { type: 'file', file_id: file_ids[0], modality: 'image' };
      expect(file_ids).toHaveLength(1);
      expect(input).toMatchObject([{ content: [part] }, { content: [{ ...result, content: [part] }] }]);
    });

    it('keeps what is no file as it was sent', async () => {
      const blocks = [
        { type: 'text', text: dataUrl('image/png', PNG) },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'image_url', image_url: { url: dataUrl('image/png', Buffer.from('<script>alert(1)</script>')) } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,not base64!' } },
        { type: 'redacted_thinking', data: base64(Buffer.alloc(3_000, 7)) },
        { type: 'tool_use', id: 't', name: 'draw', input: { data: base64(PNG) } },
      ];
      const { span_id } = await project.logCall([
        { role: 'user', content: blocks },
        { role: 'user', content: 'data: see below' },
      ]);
      const span = await project.call('GET', `/spans/${span_id}`);
      expect(span.input).toEqual([
        { role: 'user', content: blocks },
        { role: 'user', content: 'data: see below' },
      ]);
      expect(span).toMatchObject({ file_ids: [], files: null });
    });

    it('never serves markup or scripts as such, whatever they are said to be', async () => {
      const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>${' '.repeat(2_000)}`);
      const { span_id } = await project.logCall([
        { role: 'user', content: [{ type: 'image_url', image_url: { url: dataUrl('image/svg+xml', svg) } }] },
      ]);
      const [{ file_id }] = await inputOf(span_id);
      const { body } = await project.upload(Buffer.from('<html><script>alert(1)</script>'), 'x.html', 'text/html');
      for (const id of [file_id, body.file_id]) {
        const reply = await project.download(id);
        expect(reply.headers.get('content-type')).toBe('application/octet-stream');
        expect(reply.headers.get('content-disposition')).toMatch(/^attachment;/);
      }
    });

    it('gives an upload back, and names it on the record that refers to it', async () => {
      const { status, body } = await project.upload(PDF, 'räport.pdf', 'text/html');
      expect({ status, body }).toMatchObject({ status: 200, body: { content_type: 'application/pdf', filename: 'räport.pdf' } });
      const { file_id } = body;
      const { span_id } = await project.logCall([
        {
          role: 'user',
          content: [
            { type: 'file', file_id },
            { type: 'file', file_id: 'file-of-others' },
          ],
        },
      ]);
      const span = await project.call('GET', `/spans/${span_id}`);
      expect(span).toMatchObject({ file_ids: [file_id, 'file-of-others'], file_modalities: ['document'] });
      expect(span.files[file_id]).toMatchObject({ filename: 'räport.pdf', modality: 'document', status: 'complete' });
      expect(span.files['file-of-others']).toMatchObject({ source: 'external_files_api', status: 'not_uploaded' });
      const reply = await project.download(file_id);
      expect(await bytesOf(reply)).toEqual(PDF);
      expect(reply.headers.get('content-disposition')).toMatch(/^attachment;.*r%C3%A4port\.pdf/);
    });

    it('takes files out of what a record is changed to', async () => {
      const { span_id, trace_id } = await project.logCall('plain');
      const output = { role: 'assistant', content: [{ type: 'image_url', image_url: { url: dataUrl('image/png', PNG) } }] };
      await project.call('PATCH', `/spans/${span_id}`, { log_stream_id: project.log_stream_id, output: JSON.stringify(output) });
      const { output: changed, file_ids } = await project.call('GET', `/spans/${span_id}`);
      expect(changed.content).toEqual([{ type: 'file', file_id: file_ids[0], modality: 'image' }]);
      await project.call('PATCH', `/traces/${trace_id}`, {
        log_stream_id: project.log_stream_id,
        output: dataUrl('image/png', PNG),
      });
      expect((await project.call('GET', `/traces/${trace_id}`)).output).toEqual(changed.content);
      await project.call('PATCH', `/spans/${span_id}`, { log_stream_id: project.log_stream_id, output: 'a dot' });
      expect(await project.call('GET', `/spans/${span_id}`)).toMatchObject({ file_ids: [], output: { content: 'a dot' } });
    });

    it('keeps a file within its project', async () => {
      const { body } = await project.upload(WAV, 'a.wav', 'audio/wav');
      const other = await inNewProject(server);
      expect((await other.download(body.file_id)).status).toBe(404);
      expect((await project.download('no-id')).status).toBe(422);
    });

    it('has no files of a project that is deleted', async () => {
      const gone = await inNewProject(server);
      const { body } = await gone.upload(WAV, 'a.wav', 'audio/wav');
      await gone.call('DELETE', '');
      await gone.sweep();
      expect((await gone.download(body.file_id)).status).toBe(404);
      expect(await server.cradle.fileContents.find({ project_id: gone.project_id, id: body.file_id })).toBeUndefined();
    });
  });

  describe(`the room for files of a project, ${adapter}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server.close());

    it('bounds uploads by refusing them, and what comes within records by leaving it out and saying so', async () => {
      const project = await inNewProject(server);
      const large = Buffer.concat([WAV, Buffer.alloc(150_000)]);
      expect((await project.upload(large, 'a.wav', 'audio/wav')).status).toBe(200);
      expect((await project.upload(large, 'again.wav', 'audio/wav')).status).toBe(200);
      const larger = Buffer.concat([WAV, Buffer.alloc(151_000)]);
      expect(await project.upload(larger, 'b.wav', 'audio/wav')).toMatchObject({
        status: 413,
        body: { code: 'project_files_full' },
      });
      const { span_id } = await project.logCall([
        { role: 'user', content: [{ type: 'input_audio', input_audio: { data: base64(larger), format: 'wav' } }] },
      ]);
      const span = await project.call('GET', `/spans/${span_id}`);
      expect(span.files[span.file_ids[0]]).toMatchObject({ status: 'failed', modality: 'audio' });
      expect((await project.download(span.file_ids[0])).status).toBe(404);
    });
  });
}
