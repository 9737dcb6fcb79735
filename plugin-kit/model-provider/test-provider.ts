import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CompletionRequest, ModelProvider, PluginHost, z } from '../../core/plugin-sdk/index.ts';
import { asks, type FakeProvider, type FakeReply, getHost, type SeenRequest, startFakeProvider } from '../fake-provider.ts';
import { listForms, secretsIn } from '../secrets.ts';
import { closeWaysPast, type WaysPast } from '../ways-past.ts';
import type { Captured, ModelProviderCase } from './provider-case.ts';

/** State that the checks of one plugin share. */
export interface TestProvider {
  /** The remote service; there from `open` on. */
  readonly fake: FakeProvider;
  /** Without a URL and a body where the model runs inside the process. */
  readonly answer: Captured;
  /** The names of the captured replies. */
  readonly captured: readonly string[];
  /** The strings of the settings' secrets, in each form in which they may leak. */
  readonly canaries: readonly string[];
  readonly logged: unknown[];
  /** The attempts to reach the network without the host. */
  readonly past: readonly string[];
  host(fetch?: typeof globalThis.fetch): PluginHost;
  create(fetch?: typeof globalThis.fetch, settings?: unknown): ModelProvider;
  request(more?: Partial<CompletionRequest>): CompletionRequest;
  /** The requests to the URL that `answer` stands for. */
  asked(): readonly SeenRequest[];
  /** Replies with this captured reply, and with the others where they are asked for. */
  answerWith(name: string): void;
  /** Replies to what `answer` stands for with this body, and with the captured replies elsewhere. */
  answerBody(body: unknown): void;
  /** Issues tokens as ever, and replies to whatever else is requested with this. */
  answerOnly(reply: FakeReply): void;
  /** Opens the remote service, and closes the ways past it. */
  open(): Promise<void>;
  reset(): void;
  close(): Promise<void>;
}

const NOTHING_ASKED: Captured = { asks: '', body: {} };

/** Throws when the folder lacks `answer.json` or `structured.json`, unless the model runs inside the process. */
export function openTestProvider<S extends z.ZodType>(given: ModelProviderCase<S>): TestProvider {
  const { plugin, settings, folder, model, operatorSettings, inProcess = false } = given;
  const { captured, names, all, tokens } = repliesIn(folder);
  if (!inProcess) captured('structured');
  let fake: FakeProvider;
  let past: WaysPast;
  const testProvider: TestProvider = {
    get fake() {
      return fake;
    },
    get past() {
      return past.attempts;
    },
    answer: inProcess ? NOTHING_ASKED : captured('answer'),
    captured: names,
    canaries: secretsIn(plugin.settings, settings).flatMap(listForms),
    logged: [],
    host(fetch = fake.fetch) {
      const log = (...line: unknown[]) => testProvider.logged.push(line);
      return getHost(fake, { fetch, log, operatorSetting: (name: string) => operatorSettings?.[name] });
    },
    create: (fetch, chosen = settings) => plugin.create(testProvider.host(fetch), plugin.settings.parse(chosen)),
    request: (more = {}) => ({
      model,
      system: 'You judge.',
      messages: [{ role: 'user', content: 'Is it good?' }],
      signal: new AbortController().signal,
      ...more,
    }),
    asked: () => fake.seen.filter((one) => asks(one) === testProvider.answer.asks),
    answerWith(name) {
      fake.answer = (seen) => replyTo(seen, [captured(name), ...all]);
    },
    answerBody(body) {
      fake.answer = (seen) => replyTo(seen, [{ ...testProvider.answer, body }, ...all]);
    },
    answerOnly(reply) {
      fake.answer = (seen) => replyTo(seen, tokens, reply);
    },
    async open() {
      fake = await startFakeProvider();
      past = closeWaysPast(plugin.id, fake.port);
    },
    reset() {
      fake.seen.length = 0;
      testProvider.logged.length = 0;
      past.attempts.length = 0;
      if (!inProcess) testProvider.answerWith('answer');
    },
    async close() {
      past.reopen();
      await fake.close();
    },
  };
  return testProvider;
}

function repliesIn(folder: string) {
  const replies = new Map(globSync(join(folder, 'replies/*.json')).map((path) => [basename(path, '.json'), capturedIn(path)]));
  const captured = (name: string): Captured => {
    const found = replies.get(name);
    if (!found) throw new Error(`${folder} has no replies/${name}.json`);
    return found;
  };
  const tokens = [...replies].filter(([name]) => name.startsWith('token')).map(([, reply]) => reply);
  return { captured, names: [...replies.keys()], all: [...replies.values()], tokens };
}

const capturedIn = (path: string): Captured => JSON.parse(readFileSync(path, 'utf8'));

function replyTo(seen: SeenRequest, captured: readonly Captured[], otherwise?: FakeReply): FakeReply {
  const found = captured.find((one) => one.asks === asks(seen));
  if (!found) return otherwise ?? { status: 404, body: '' };
  return { body: typeof found.body === 'string' ? found.body : JSON.stringify(found.body) };
}
