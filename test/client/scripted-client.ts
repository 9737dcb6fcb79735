import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: a client of another language believes what it is told
export type Json = any;

export interface ClientSettings {
  /** Base URL of the API for the client, with `/v2` or without. */
  readonly base: string;
  readonly apiKey: string;
  /** The header that names the client. */
  readonly sdkHeader?: string;
}

interface Sent {
  readonly json?: unknown;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Many: a busy machine is no failure. */
const RETRIES = 10;
const POLLS = 1_800;
const RETRY_MS = 100;

/**
 * Calls as an off-the-shelf client of this kind of service makes them: bearer tokens only, a login for every helper and
 * every stack, path parameters repeated in the query, nulls where nothing was given, empty bodies of a form type.
 */
export class ScriptedClient {
  readonly #settings: ClientSettings;
  /** One for each stack. */
  #tokens: string[] = [];
  logins = 0;
  calls = 0;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /** Health and login, as before everything. */
  async start(): Promise<void> {
    expect(await this.get('/healthcheck')).toBeTruthy();
    this.#tokens = [await this.#logIn()];
  }

  /** First step of every helper: a client anew, the project and the log stream by their names. */
  async reach(projectName: string, streamName: string): Promise<{ P: string; L: string }> {
    await this.start();
    const [found] = await this.get(`/projects?project_name=${encodeURIComponent(projectName)}&type=gen_ai`);
    const wanted = { name: projectName, type: 'gen_ai', create_example_templates: false };
    const { id: P } = found ?? (await this.post('/projects', wanted));
    const streams: Json[] = await this.get(`/projects/${P}/log_streams?project_id=${P}`);
    const { id: L } =
      streams.find(({ name }) => name === streamName) ??
      (await this.post(`/projects/${P}/log_streams?project_id=${P}`, { name: streamName }));
    return { P, L };
  }

  get(path: string): Promise<Json> {
    return this.call('GET', path).then(({ body }) => body);
  }

  post(path: string, json: unknown): Promise<Json> {
    return this.call('POST', path, { json }).then(({ body }) => body);
  }

  postForm(path: string, form: FormData): Promise<Json> {
    return this.call('POST', path, { form }).then(({ body }) => body);
  }

  /** An optional body that is not there, of a type that it has not. */
  postNothing(path: string): Promise<Json> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.call('POST', path, { headers }).then(({ body }) => body);
  }

  /** By the generated stack, which logs in for itself and sends an empty cookie. */
  async postTraces(P: string, body: unknown): Promise<Json> {
    this.#tokens[1] = await this.#logIn();
    const headers = { authorization: `Bearer ${this.#tokens[1]}`, cookie: '' };
    return (await this.call('POST', `/projects/${P}/traces`, { json: body, headers })).body;
  }

  /** Repeats what is not there yet, as streaming does: only a `detail` says that it may come. */
  async eventually(method: string, path: string, json: unknown): Promise<Json> {
    for (let tries = 0; ; tries += 1) {
      const { status, body } = await this.attempt(method, path, { json });
      if (status < 300) return body;
      expect(typeof body.detail, `${method} ${path} ${status}`).toBe('string');
      expect(tries, `${method} ${path} ${status} ${JSON.stringify(body)}`).toBeLessThan(RETRIES);
      await sleep(RETRY_MS * 2 ** tries);
    }
  }

  async poll(path: string, isDone: (body: Json) => boolean): Promise<Json> {
    for (let tries = 0; tries < POLLS; tries += 1) {
      const body = await this.get(path);
      if (isDone(body)) return body;
      await sleep(RETRY_MS);
    }
    return expect.unreachable(`${path} does not finish`);
  }

  /** Any status of 300 or more is an error. */
  async call(method: string, path: string, sent: Sent = {}): Promise<{ status: number; headers: Headers; body: Json }> {
    const reply = await this.attempt(method, path, sent);
    expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
    return reply;
  }

  async attempt(method: string, path: string, { json, form, headers = {} }: Sent = {}) {
    this.calls += 1;
    const [token] = this.#tokens;
    const body = json === undefined ? form : JSON.stringify(json);
    const res = await fetch(this.#settings.base.replace(/\/$/, '') + path, {
      method,
      redirect: 'error',
      headers: {
        'user-agent': 'scripted/1.0',
        [this.#settings.sdkHeader ?? 'x-service-sdk']: 'scripted-client/1.0.0',
        accept: 'application/json, text/plain, */*',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await res.text();
    const isJson = (res.headers.get('content-type') ?? '').startsWith('application/json');
    return { status: res.status, headers: res.headers, body: isJson && text !== '' ? JSON.parse(text) : text };
  }

  async #logIn(): Promise<string> {
    this.logins += 1;
    const { access_token, token_type } = await this.post('/login/api_key', { api_key: this.#settings.apiKey });
    expect(token_type).toBe('bearer');
    const { exp } = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString());
    expect(exp * 1000).toBeGreaterThan(Date.now());
    return access_token;
  }
}

/** A trace as the batch mode sends it: absent values left out, maps sent empty. */
export function aTrace(facts: object = {}): Json {
  const now = new Date().toISOString();
  const common = () => ({ id: randomUUID(), created_at: now, user_metadata: {}, tags: [], dataset_metadata: {} });
  const metrics = { duration_ns: 1_000_000 };
  const tokens = { num_input_tokens: 12, num_output_tokens: 3, num_total_tokens: 15, numReasoningTokens: 1 };
  const llm = {
    ...common(),
    type: 'llm',
    name: 'answer',
    input: [{ role: 'user', content: 'When is high tide?' }],
    output: { role: 'assistant', content: 'At noon.' },
    metrics: { ...metrics, ...tokens, time_to_first_token_ns: 5_000 },
    tools: [{ type: 'function', function: { name: 'tides' } }],
    model: 'gpt-4.1-mini',
    temperature: 0.2,
  };
  const documents = [{ content: 'Tides of the harbour', metadata: { page: 3 } }];
  const retriever = { ...common(), type: 'retriever', name: 'search', input: 'tide', output: documents, metrics, spans: [] };
  const tool = {
    ...common(),
    type: 'tool',
    name: 'tides',
    input: '{}',
    output: 'noon',
    tool_call_id: 'call_1',
    metrics,
    spans: [],
  };
  const agent = {
    ...common(),
    type: 'agent',
    agent_type: 'react',
    name: 'agent',
    input: 'q',
    output: 'a',
    metrics,
    spans: [llm, tool],
  };
  return {
    ...common(),
    type: 'trace',
    name: 'question',
    input: 'q: When is high tide?',
    output: 'At noon.',
    status_code: 200,
    metrics,
    external_id: 'case-1',
    spans: [retriever, agent],
    ...facts,
  };
}
