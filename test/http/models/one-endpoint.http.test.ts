import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { asValue } from 'awilix';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_CONCURRENT_CALLS } from '../../../core/models/concurrency-limiter.ts';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { ANSWERS, expectEnded, getUse, JUDGES, type ModelUser, type Use, uses } from './model-uses.ts';

/** Traces of the project that floods, each for all judges. */
const FLOOD = 20;

interface Call {
  readonly use: Use;
  readonly question: string;
  readonly response: ServerResponse;
}

/** Speaks the chat-completions protocol, and holds each call until it is released. */
class Endpoint {
  readonly calls: Call[] = [];
  readonly held = new Set<Call>();
  peak = 0;
  #isReleased = false;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const question = await text(request);
      const { messages } = JSON.parse(question) as { messages: { content: unknown }[] };
      const use = getUse(messages.map(({ content }) => JSON.stringify(content)).join('\n'));
      const call = { use, question, response };
      this.calls.push(call);
      this.held.add(call);
      this.peak = Math.max(this.peak, this.held.size);
      if (this.#isReleased) this.answer(call);
    });
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.#server.once('listening', resolve));
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The first call for each use fails in a way that passes. */
  answer(call: Call): void {
    this.held.delete(call);
    const isFirst = this.calls.find(({ use }) => use === call.use) === call;
    if (isFirst) return void call.response.writeHead(503).end('{"error":{"message":"no"}}');
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0.5 };
    const choices = [{ index: 0, message: { role: 'assistant', content: ANSWERS[call.use] }, finish_reason: 'stop' }];
    call.response.writeHead(200, { 'content-type': 'application/json' });
    call.response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'm-1', choices, usage }));
  }

  /** Answers what is held, and from now on at once. */
  release(): void {
    this.#isReleased = true;
    for (const call of this.held) this.answer(call);
  }

  count(use: Use): number {
    return this.calls.filter((call) => call.use === use).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let endpoint: Endpoint;
let server: TestServer;
beforeEach(async () => {
  endpoint = new Endpoint();
  const host = await endpoint.listen();
  const overrides = { retryClock: asValue({ sleep: async () => {}, random: () => 0.5 }) };
  server = await startTestServer({ allowedEndpoints: [host], overrides });
  const integration = { endpoint: `http://${host}`, models: ['m-1'], authentication_type: 'none' };
  expect((await server.request('PUT', '/v2/integrations/custom', integration)).status).toBe(200);
});
afterEach(async () => {
  endpoint.release();
  await server.close();
  await endpoint.close();
});

async function newUser(): Promise<ModelUser> {
  const project_id: string = (await server.request('POST', '/v2/projects', { name: randomUUID() })).body.id;
  return { server, project_id, at: `/v2/projects/${project_id}` };
}

interface Spent {
  readonly purpose: string;
  readonly calls: number;
  readonly failed_calls: number;
}

async function spendingBy({ at }: ModelUser): Promise<Record<string, Spent>> {
  const replies = await Promise.all([server.request('GET', `${at}/model-spending`), server.request('GET', '/v2/model-spending')]);
  const spent: Spent[] = replies.flatMap(({ body }) => body.spending);
  return Object.fromEntries(spent.map(({ purpose, calls, failed_calls }) => [purpose, { purpose, calls, failed_calls }]));
}

describe('one endpoint of an integration', () => {
  it('never has more calls in flight than the limit, of all uses together, and the ledger has each under its purpose', async () => {
    const user = await newUser();
    const jobs = new Map<Use, string>();
    for (const use of ['scorer_autogen', 'synthetic_rows', 'experiment', 'judge'] as const) {
      jobs.set(use, await uses[use](user));
      await eventually(() => expect(endpoint.count(use)).toBeGreaterThan(0));
    }
    await eventually(() => expect(endpoint.held.size).toBe(MAX_CONCURRENT_CALLS));
    endpoint.release();
    await expectEnded(user, jobs);
    expect(endpoint.peak).toBe(MAX_CONCURRENT_CALLS);
    const expected = [...jobs.keys()].map((use) => [use, { purpose: use, calls: endpoint.count(use), failed_calls: 1 }]);
    expect(await spendingBy(user)).toEqual(Object.fromEntries(expected));
  });

  it("answers a neighbour's judge while a flood of another project holds all calls in flight and many more wait", async () => {
    const [flooding, neighbour] = [await newUser(), await newUser()];
    await uses.judge(flooding, FLOOD);
    await eventually(() => expect(endpoint.held.size).toBe(MAX_CONCURRENT_CALLS));
    const trace_id = await uses.judge(neighbour);
    // For each call that ends, the next one is let in: by turns it is one of the neighbour's at every other time.
    const answerOne = (): void => {
      const [first] = endpoint.held;
      if (first) endpoint.answer(first);
    };
    const judged = async () => (await server.request('GET', `${neighbour.at}/traces/${trace_id}`)).body.metric_info.polite;
    await eventually(async () => {
      answerOne();
      expect(await judged()).toMatchObject({ status_type: 'success', value: true });
    });
    // As many of the flood as of the neighbour, and those that were there before it; in order of arrival it would be all.
    expect((await spendingBy(flooding)).judge!.calls).toBeLessThan((FLOOD * JUDGES) / 2);
    expect(endpoint.held.size).toBe(MAX_CONCURRENT_CALLS);
  });
});
