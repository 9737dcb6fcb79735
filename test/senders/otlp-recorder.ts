import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** One request of a sender: the body as it was sent, unpacked. */
export interface RecordedRequest {
  readonly path: string;
  readonly content_type: string;
  readonly base64: string;
}

export interface OtlpRecorder {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** Takes whatever senders post, by OTLP or not, and keeps it. */
export async function startRecorder(): Promise<OtlpRecorder> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const content_type = request.headers['content-type'] ?? '';
    requests.push({ path: request.url ?? '', content_type, base64: body.toString('base64') });
    response.setHeader('content-type', content_type).end(content_type.includes('json') ? '{}' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
