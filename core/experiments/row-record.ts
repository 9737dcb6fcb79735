import { cellText } from '../datasets/content.ts';
import type { RowValues } from '../datasets/row.ts';
import { computeDigest, type Sha256 } from '../kernel/digest.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { uuid4 } from '../otel/otel-ids.ts';
import type { Completion, PluginError, PluginFailure } from '../plugin-sdk/index.ts';
import { ROW_ID_KEY } from '../projects/run-origin.ts';
import { toSentParameters } from '../prompts/model-parameters.ts';
import type { PromptMessage } from '../prompts/prompt-text.ts';
import { mapIn } from '../prompts/render.ts';
import { toToolCalls } from '../prompts/tool-calls.ts';

/** Result of one row. */
export interface RowOutcome {
  readonly row_id: string;
  readonly values: RowValues;
  readonly messages: readonly PromptMessage[];
  readonly settings: JsonObject;
  readonly model: string;
  /** The version of a prompt template that was run. */
  readonly prompt_version_id: string;
  readonly answer: { readonly completion: Completion; readonly cost: number | null } | PluginError;
  /** When the model was asked, and how long it took. */
  readonly started_at: string;
  readonly duration_ns: number;
}

/** The same for every try: whatever is repeated overwrites what it repeats. */
export const getRecordId = (run_id: string, row_id: string, part: 'trace' | 'llm', sha256: Sha256): string =>
  uuid4(computeDigest(`${run_id} ${row_id} ${part}`, sha256).slice(0, 32));

const STATUS: Readonly<Record<PluginFailure, number>> = {
  credentials_rejected: 401,
  rate_limited: 429,
  unavailable: 503,
  bad_reply: 502,
  unsupported: 400,
};

/** The trace of a row with the model's call in it, as a client would log it. */
export function toRowTrace(run_id: string, outcome: RowOutcome, sha256: Sha256): JsonObject {
  const { row_id, values, messages, settings, model, prompt_version_id, answer, started_at, duration_ns } = outcome;
  const completion = 'completion' in answer ? answer.completion : undefined;
  const failure = 'completion' in answer ? undefined : answer;
  const user_metadata: JsonObject = failure ? { error_message: failure.message } : {};
  const common = {
    created_at: started_at,
    status_code: failure ? STATUS[failure.failure] : 200,
    user_metadata,
  };
  const call = {
    ...common,
    type: 'llm',
    id: getRecordId(run_id, row_id, 'llm', sha256),
    name: model,
    input: messages as unknown as JsonValue,
    output: completion ? toOutput(completion) : null,
    ...(Array.isArray(settings.tools) && { tools: settings.tools }),
    prompt_version_id,
    model: completion?.model ?? model,
    finish_reason: completion?.finish_reason ?? 'error',
    temperature: toTemperature(settings, completion),
    metrics: { duration_ns, ...('completion' in answer && toNumbers(answer)) },
    user_metadata: { ...user_metadata, ...(completion && toRequestMetadata(settings, completion)) },
  };
  return {
    ...common,
    id: getRecordId(run_id, row_id, 'trace', sha256),
    name: 'playground_run',
    input: cellText(values.input) ?? '',
    output: completion ? completion.text || toCallsText(completion) : null,
    dataset_input: cellText(values.input),
    dataset_output: cellText(values.output),
    dataset_metadata: { ...toMetadata(values), [ROW_ID_KEY]: row_id },
    metrics: { duration_ns },
    spans: [call],
  };
}

const toTemperature = ({ temperature }: JsonObject, completion: Completion | undefined): number | null =>
  typeof temperature === 'number' && !completion?.left_out?.includes('temperature') ? temperature : null;

/** Parameters that were sent and have no field of their own, by the names of OpenTelemetry's conventions. */
function toRequestMetadata(settings: JsonObject, { left_out = [] }: Completion): JsonObject {
  const sent = Object.entries(toSentParameters(settings, left_out)).filter(([name]) => name !== 'temperature');
  const named = sent.map(([name, value]) => [`gen_ai.request.${name === 'stop' ? 'stop_sequences' : name}`, value]);
  return Object.fromEntries([...named, ...(left_out.length > 0 ? [['parameters_left_out', left_out.join(', ')]] : [])]);
}

const toOutput = ({ text, tool_calls }: Completion): JsonObject => ({
  role: 'assistant',
  content: text,
  ...(tool_calls && { tool_calls: toToolCalls(tool_calls) }),
});

/** Of a model that wrote nothing and asked for tools: these are what came of the row. */
const toCallsText = ({ tool_calls }: Completion): string => (tool_calls ? JSON.stringify(toToolCalls(tool_calls)) : '');

function toNumbers({ completion, cost }: { readonly completion: Completion; readonly cost: number | null }): JsonObject {
  const { input_tokens, output_tokens, reasoning_tokens, cached_tokens } = completion.usage;
  const num_total_tokens =
    input_tokens === undefined && output_tokens === undefined ? undefined : (input_tokens ?? 0) + (output_tokens ?? 0);
  const numbers = {
    num_input_tokens: input_tokens,
    num_output_tokens: output_tokens,
    num_total_tokens,
    num_reasoning_tokens: reasoning_tokens,
    num_cached_input_tokens: cached_tokens,
    cost: cost ?? undefined,
  };
  return Object.fromEntries(Object.entries(numbers).filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** The row's own metadata, where its column of that name holds a map. */
const toMetadata = ({ metadata }: RowValues): JsonObject => mapIn(metadata ?? null) ?? {};
