import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  anthropic,
  anthropicStream,
  bedrock,
  type ChatBody,
  chat,
  chatStream,
  embeddings,
  gemini,
  responses,
  responsesStream,
} from './fake-replies.ts';

/** A model on loopback that speaks the protocols of several vendors and always says the same. */
export interface FakeModel {
  readonly url: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
}

/** A model of this name is there to fail. */
const BROKEN = /broken-model/;
const json = (value: object, status = 200): Reply => ({ status, type: 'application/json', body: JSON.stringify(value) });
const events = (body: string): Reply => ({ type: 'text/event-stream', body });

async function reply(request: IncomingMessage): Promise<Reply> {
  const sent = (await text(request)) || '{}';
  const path = (request.url ?? '').replace(/\?.*/, '');
  const body = JSON.parse(sent) as ChatBody;
  if (BROKEN.test(body.model ?? path)) {
    const error = { type: 'invalid_request_error', code: 'model_not_found', message: 'the model broken-model does not exist' };
    return json({ error, message: error.message }, 400);
  }
  if (path.endsWith('/embeddings')) return json(embeddings(body));
  if (path.endsWith('/messages')) return body.stream ? events(anthropicStream(body)) : json(anthropic(body));
  if (path.endsWith('/responses')) return body.stream ? events(responsesStream(body)) : json(responses(body));
  if (path.endsWith(':generateContent')) return json(gemini(body));
  if (path.endsWith(':streamGenerateContent')) return events(`data: ${JSON.stringify(gemini(body))}\r\n\r\n`);
  if (path.endsWith('/converse')) return json(bedrock(body));
  return body.stream ? events(chatStream(body)) : json(chat(body));
}

export async function startFakeModel(): Promise<FakeModel> {
  const server: Server = createServer((request, response) => {
    void reply(request).then(({ status = 200, type, body }) => {
      response.writeHead(status, { 'content-type': type }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
