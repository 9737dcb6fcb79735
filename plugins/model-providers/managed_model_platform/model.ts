import { type Completion, type CompletionRequest, PluginError, readJson, z } from '../../../core/plugin-sdk/index.ts';

const PATH = /^[\w-]+(\.[\w-]+)*$/;
/** Field names with points between, list elements by number: `parameters.max_new_tokens`, `0.generated_text`. */
const Path = z.string().max(200).regex(PATH, 'has to be field names with points between');
const MaybePath = Path.nullish();
const Count = z.int().min(0);

const InputMap = z.strictObject({ prompt: Path, prefix: z.string().default(''), suffix: z.string().default('') });
const Counts = { token_count: MaybePath, input_token_count: MaybePath, output_token_count: MaybePath };
const OutputMap = z.strictObject({ response: Path, ...Counts, completion_reason: MaybePath });

/** A model behind an endpoint; `name` is the endpoint's. What follows `output_map` is kept with the integration only. */
export const Model = z.strictObject({
  name: z.string().min(1),
  alias: z.string().min(1),
  alternative_names: z.array(z.string().min(1)).default([]),
  user_role: z.string().nullish(),
  assistant_role: z.string().nullish(),
  system_supported: z.boolean().default(false),
  max_top_p: z.number().positive().max(1).nullish(),
  params_map: z.record(z.string(), Path).nullish(),
  input_map: InputMap.nullish(),
  output_map: OutputMap.nullish(),
  integration: z.string().default('openai'),
  input_modalities: z.array(z.string()).nullish(),
  input_token_limit: Count.nullish(),
  output_token_limit: Count.nullish(),
  token_limit: Count.nullish(),
  output_price: z.number().min(0).default(0),
  input_price: z.number().min(0).default(0),
  cost_by: z.enum(['tokens', 'characters']).default('tokens'),
  is_chat: z.boolean().default(false),
  provides_log_probs: z.boolean().default(false),
  formatting_tokens: Count.default(0),
  response_prefix_tokens: Count.default(0),
  api_version: z.string().nullish(),
  legacy_mistral_prompt_format: z.boolean().default(false),
});
export type Model = z.output<typeof Model>;
type Fields = Record<string, unknown>;

/** The body of a container with fields of its own: one text, and parameters by the names it knows. */
export function mappedBody({ input_map, params_map, max_top_p }: Model, request: CompletionRequest): Fields {
  const { prompt = 'inputs', prefix = '', suffix = '' } = input_map ?? {};
  const texts = [request.system, ...request.messages.map(({ content }) => content)].filter((text) => text !== undefined);
  const { max_tokens, temperature, stop, seed, frequency_penalty, presence_penalty, reasoning_effort, verbosity } = request;
  const top_p = request.top_p && Math.min(request.top_p, max_top_p ?? 1);
  const further = { frequency_penalty, presence_penalty, reasoning_effort, verbosity };
  const given = Object.entries({ max_tokens, temperature, top_p, stop, seed, ...further }).filter(
    ([, value]) => value !== undefined,
  );
  const body = put({}, prompt, `${prefix}${texts.join('\n\n')}${suffix}`);
  return given.reduce((made, [name, value]) => put(made, params_map?.[name] ?? name, value), body);
}

/** Reads a reply at the paths that the settings name; a container that gives no reason has finished. */
export function mappedReply(map: z.output<typeof OutputMap>, reply: unknown, { model, schema }: CompletionRequest): Completion {
  const text = at(reply, map.response);
  if (typeof text !== 'string')
    throw new PluginError('bad_reply', 'managed_model_platform: no text where output_map.response says');
  const counts = { input_tokens: at(reply, map.input_token_count), output_tokens: at(reply, map.output_token_count) };
  const usage = Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number'));
  const value = schema && readJson(z.unknown(), text);
  const cut = ['length', 'max_tokens'].includes(String(at(reply, map.completion_reason)));
  return { text, ...(value !== undefined && { value }), usage, finish_reason: cut ? 'length' : 'stop', model };
}

/** Throws a PluginError for a request with tools or a response format, which a container with fields of its own has no place for. */
export function requirePlain({ tools, response_format, messages }: CompletionRequest): void {
  if (tools || response_format || messages.some(({ role, tool_calls }) => role === 'tool' || tool_calls))
    throw new PluginError('unsupported', 'managed_model_platform: the endpoint takes no tools and no response format');
}

/** The same request for a model that takes no system message: its text comes before the user's first. */
export function withoutSystem({ system, ...request }: CompletionRequest): CompletionRequest {
  const [first, ...rest] = request.messages;
  if (system === undefined || !first) return request;
  return { ...request, messages: [{ ...first, content: `${system}\n\n${first.content}` }, ...rest] };
}

/** The body of the chat-completions protocol with this model's names for roles and parameters. */
export function chatBody({ user_role, assistant_role, params_map, max_top_p }: Model, body: Fields): Fields {
  const { messages, ...parameters } = body as Fields & { messages: { role: string; content: unknown }[] };
  const roles = new Map(Object.entries({ user: user_role, assistant: assistant_role }));
  const renamed = messages.map((message) => ({ ...message, role: roles.get(message.role) ?? message.role }));
  if (typeof parameters.top_p === 'number') parameters.top_p = Math.min(parameters.top_p, max_top_p ?? 1);
  const entries = Object.entries(parameters);
  return entries.reduce<Fields>((made, [name, value]) => put(made, params_map?.[name] ?? name, value), { messages: renamed });
}

function put(body: Fields, path: string, value: unknown): Fields {
  const [name = '', ...rest] = path.split('.');
  const held = (Object.hasOwn(body, name) ? body[name] : {}) as Fields;
  return { ...body, [name]: rest.length === 0 ? value : put(held, rest.join('.'), value) };
}

function at(value: unknown, path: string | null | undefined): unknown {
  const own = (held: unknown, name: string) =>
    Object(held) === held && Object.hasOwn(held as Fields, name) ? (held as Fields)[name] : undefined;
  return path ? path.split('.').reduce(own, value) : undefined;
}
