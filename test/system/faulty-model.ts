import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Final outcome of a question about a record. */
export type Fate = 'success' | 'refused' | 'malformed' | 'broken';

/** A server that speaks the chat-completions protocol, and does badly on purpose. */
export interface FaultyModel {
  readonly url: string;
  /** Requests that came in, and answers to them that a judge could use, by number of the record. */
  readonly seen: Map<number, number>;
  readonly used: Map<number, number>;
  close(): Promise<void>;
}

/** Material names its record as `record 17`. */
const RECORD = /record (\d+)\b/;

/** Final outcome of the record of this number. */
export function getFate(number: number): Fate {
  if (number % 20 === 3) return 'refused';
  if (number % 20 === 4) return 'malformed';
  return number % 100 === 6 ? 'broken' : 'success';
}

/** Most records are answered at once; the others fail at first, or always, each kind in its way. */
export async function startFaultyModel(silent: ReadonlySet<number>): Promise<FaultyModel> {
  const seen = new Map<number, number>();
  const used = new Map<number, number>();
  const server = createServer(async (request, response) => {
    const question = await text(request);
    const number = Number(RECORD.exec(question)?.[1] ?? -1);
    const tries = seen.get(number) ?? 0;
    seen.set(number, tries + 1);
    if (silent.has(number) && tries === 0) return;
    if (number % 20 === 0 && tries === 0) return fail(response, 429, { 'retry-after-ms': '50' });
    if ((number % 20 === 1 && tries < 2) || getFate(number) === 'broken') return fail(response, 500);
    if (number % 100 === 5 && tries === 0) return void response.destroy();
    if (getFate(number) === 'refused') return answer(response, '', 'content_filter');
    if (getFate(number) === 'malformed' || (number % 20 === 2 && tries === 0)) return answer(response, 'I would rather not say.');
    used.set(number, (used.get(number) ?? 0) + 1);
    answer(response, JSON.stringify({ rating: number % 2 === 0 }));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    used,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fail(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, headers).end('{"error":{"message":"no"}}');
}

function answer(response: ServerResponse, content: string, finish_reason = 'stop'): void {
  const usage = { prompt_tokens: 30, completion_tokens: 3, total_tokens: 33, cost: 0.001 };
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'judge-1', choices, usage }));
}
