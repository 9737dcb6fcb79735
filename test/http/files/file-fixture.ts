import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ADMIN, type TestServer } from '../harness.ts';

export interface FileFixture {
  readonly project_id: string;
  readonly log_stream_id: string;
  /** Calls an operation of the project, and expects that it succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: replies have every shape
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Logs a trace with one model call of this input; returns their ids. */
  logCall(input: unknown, facts?: object): Promise<{ trace_id: string; span_id: string }>;
  upload(
    bytes: Buffer,
    filename: string,
    type: string,
  ): Promise<{ status: number; body: { file_id: string } & Record<string, unknown> }>;
  download(file_id: string, headers?: Record<string, string>): Promise<Response>;
  /** Has everything removed that no record names any more. */
  sweep(): Promise<void>;
}

/** A project with a log stream, and what people do there with files. */
export async function inNewProject(server: TestServer): Promise<FileFixture> {
  const request = async (method: string, path: string, body?: unknown) => {
    const reply = await server.request(method, path, body);
    expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBe(200);
    return reply.body;
  };
  const project_id: string = (await request('POST', '/v2/projects', { name: `files ${randomUUID()}` })).id;
  const at = `/v2/projects/${project_id}`;
  const log_stream_id: string = (await request('POST', `${at}/log_streams`, { name: 'default' })).id;
  return {
    project_id,
    log_stream_id,
    call: (method, path, body) => request(method, `${at}${path}`, body),
    logCall: async (input, facts = {}) => {
      const [trace_id, span_id] = [randomUUID(), randomUUID()];
      const spans = [{ type: 'llm', id: span_id, input, output: 'seen', ...facts }];
      await request('POST', `${at}/traces`, { log_stream_id, traces: [{ id: trace_id, input: 'look', spans }] });
      return { trace_id, span_id };
    },
    upload: async (bytes, filename, type) => {
      const raw = new FormData();
      raw.append('file', new Blob([new Uint8Array(bytes)], { type }), filename);
      raw.append('upload_metadata', '{}');
      return server.request('POST', `${at}/upload_file`, undefined, { raw });
    },
    download: (file_id, headers = { 'service-api-key': ADMIN.api_key }) =>
      fetch(`${server.url}${at}/files/${file_id}`, { headers }),
    sweep: async () => void (await server.cradle.fileRemoval.run(-1_000)),
  };
}

export const bytesOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer());
