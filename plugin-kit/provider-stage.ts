import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Completion,
  type CompletionRequest,
  type ModelProvider,
  type ModelProviderPlugin,
  type OfferedModel,
  secretPaths,
  type z,
} from '../core/plugin-sdk/index.ts';
import type { Fixed } from './check.ts';
import { asks, type FakeProvider, type FakeReply, hostOf, type SeenRequest, startFakeProvider } from './fake-provider.ts';

/** A file of `replies/`: what is asked, without the query, and the body it is answered with. */
export interface Captured {
  readonly asks: string;
  readonly body: unknown;
}

export interface ModelProviderCase<S extends z.ZodType> {
  readonly plugin: ModelProviderPlugin<S>;
  /** Settings that the schema accepts. Whatever stands in their secrets must show up nowhere. */
  readonly settings: Fixed<z.input<S>>;
  /**
   * The plugin's folder. Its `replies/` hold `answer.json`, `structured.json` and, where the far side is asked for them,
   * `models.json` and `check.json`, besides what is asked on the way, named `token*.json`.
   */
  readonly folder: string;
  readonly model: string;
  /** What is read from `answer.json`, and from `structured.json`. */
  readonly expected: Completion;
  readonly expectedValue: unknown;
  readonly offered: readonly OfferedModel[];
  readonly operatorSettings?: Readonly<Record<string, string>>;
}

/** What stands in the environment while the kit runs. */
export const ELSEWHERE = 'environment-canary';
/** Where vendors' packages look for what they were not given. */
const ENVIRONMENT = [
  ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_AUTH_TOKEN', 'MISTRAL_API_KEY'],
  ...['AZURE_API_KEY', 'AZURE_RESOURCE_NAME', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_VERTEX_API_KEY', 'AWS_REGION'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_ENDPOINT_URL'],
];

/** What the checks of one plugin share. */
export interface Stage {
  /** The far side; there from `open` on. */
  readonly fake: FakeProvider;
  readonly answer: Captured;
  /** The texts of the settings' secrets. */
  readonly canaries: readonly string[];
  readonly logged: unknown[];
  create(fetch?: typeof globalThis.fetch): ModelProvider;
  request(more?: Partial<CompletionRequest>): CompletionRequest;
  /** What was asked of the address that `answer` stands for. */
  asked(): readonly SeenRequest[];
  /** Answers with this captured reply, and with the others where they are asked for. */
  answerWith(name: 'answer' | 'structured'): void;
  /** Issues tokens as ever, and answers whatever else is asked with this. */
  answerOnly(reply: FakeReply): void;
  /** Opens the far side, and closes the ways past it: the global `fetch` and the environment. */
  open(): Promise<void>;
  reset(): void;
  close(): Promise<void>;
}

/** Throws when the folder has no `answer.json` or no `structured.json`. */
export function stageOf<S extends z.ZodType>({ plugin, settings, folder, model, operatorSettings }: ModelProviderCase<S>): Stage {
  const { captured, all, tokens } = repliesIn(folder);
  captured('structured');
  let fake: FakeProvider;
  let reopen: () => void;
  const stage: Stage = {
    get fake() {
      return fake;
    },
    answer: captured('answer'),
    canaries: secretsOf(plugin.settings, settings),
    logged: [],
    create(fetch = fake.fetch) {
      const log = (...line: unknown[]) => stage.logged.push(line);
      const operatorSetting = (name: string) => operatorSettings?.[name];
      return plugin.create(hostOf(fake, { fetch, log, operatorSetting }), plugin.settings.parse(settings));
    },
    request: (more = {}) => ({
      model,
      system: 'You judge.',
      messages: [{ role: 'user', content: 'Is it good?' }],
      signal: new AbortController().signal,
      ...more,
    }),
    asked: () => fake.seen.filter((one) => asks(one) === stage.answer.asks),
    answerWith(name) {
      fake.answer = (seen) => replyTo(seen, [captured(name), ...all]);
    },
    answerOnly(reply) {
      fake.answer = (seen) => replyTo(seen, tokens, reply);
    },
    async open() {
      reopen = closeWaysPast(plugin.id);
      fake = await startFakeProvider();
    },
    reset() {
      fake.seen.length = 0;
      stage.logged.length = 0;
      stage.answerWith('answer');
    },
    async close() {
      reopen();
      await fake.close();
    },
  };
  return stage;
}

function repliesIn(folder: string): { captured: (name: string) => Captured; all: Captured[]; tokens: Captured[] } {
  const replies = new Map(globSync(join(folder, 'replies/*.json')).map((path) => [basename(path, '.json'), capturedIn(path)]));
  const captured = (name: string): Captured => {
    const found = replies.get(name);
    if (!found) throw new Error(`${folder} has no replies/${name}.json`);
    return found;
  };
  const tokens = [...replies].filter(([name]) => name.startsWith('token')).map(([, reply]) => reply);
  return { captured, all: [...replies.values()], tokens };
}

const capturedIn = (path: string): Captured => JSON.parse(readFileSync(path, 'utf8'));

/** Answers how to open them again. */
function closeWaysPast(id: string): () => void {
  const { fetch } = globalThis;
  const before = ENVIRONMENT.map((name) => [name, process.env[name]] as const);
  globalThis.fetch = () => Promise.reject(new Error(`${id} went past the host's fetch`));
  for (const name of ENVIRONMENT) process.env[name] = name.endsWith('URL') ? `https://${ELSEWHERE}.test` : ELSEWHERE;
  return () => {
    globalThis.fetch = fetch;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

function replyTo(seen: SeenRequest, captured: readonly Captured[], otherwise?: FakeReply): FakeReply {
  const found = captured.find((one) => one.asks === asks(seen));
  if (!found) return otherwise ?? { status: 404, body: '' };
  return { body: typeof found.body === 'string' ? found.body : JSON.stringify(found.body) };
}

/** The texts in the secrets of settings, those inside JSON texts too. */
function secretsOf(schema: z.ZodType, settings: unknown): string[] {
  return secretPaths(schema).flatMap((path) => textsIn(path.reduce<unknown>((held, name) => Object(held)[name], settings)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== 'string') return [];
  return value.startsWith('{') ? textsIn(JSON.parse(value)) : [value];
}
