import { type CompletionRequest, MODEL_PARAMETERS, type ModelParameter, PluginError } from '../../core/plugin-sdk/index.ts';

/** The fields in which vendors' requests have a parameter, wherever they stand. */
const FIELDS: Readonly<Record<ModelParameter, readonly string[]>> = {
  temperature: ['temperature'],
  top_p: ['top_p', 'topP'],
  top_k: ['top_k', 'topK'],
  frequency_penalty: ['frequency_penalty', 'frequencyPenalty'],
  presence_penalty: ['presence_penalty', 'presencePenalty'],
  stop: ['stop', 'stop_sequences', 'stopSequences'],
  seed: ['seed', 'random_seed'],
  // A model without levels of effort is given tokens to think with.
  reasoning_effort: ['reasoning_effort', 'effort', 'thinking', 'thinkingConfig', 'maxReasoningEffort'],
  verbosity: ['verbosity'],
};
/** Fields of the question and of tools: texts of users, with names of any kind. */
const CONTENT = new Set(['messages', 'input', 'contents', 'system', 'systemInstruction', 'instructions', 'tools', 'toolConfig']);
const SCHEMAS = new Set(['format', 'response_format', 'responseSchema', 'responseJsonSchema', 'outputConfig']);
const MAX_DEPTH = 4;

/** Parameters of a request that are not in the body that an adapter made of it, or with another value: adapters only warn of what they leave out. */
export function findUnsent(request: CompletionRequest, body: unknown): ModelParameter[] {
  const fields = collectFields(body, MAX_DEPTH);
  return MODEL_PARAMETERS.filter((name) => {
    const given = request[name];
    if (given === undefined) return false;
    const sent = FIELDS[name].flatMap((field) => fields.get(field) ?? []);
    // Words may be the adapter's own for the same thing; numbers are as they were given.
    return typeof given === 'number' ? !sent.includes(given) : sent.length === 0;
  });
}

/** Throws a PluginError for a parameter that is not sent and that the call must not go without. */
export function requireSentParameters(
  who: string,
  { required = [] }: CompletionRequest,
  unsent: readonly ModelParameter[],
): void {
  const parameter = unsent.find((name) => required.includes(name));
  if (parameter) throw new PluginError('unsupported', `${who}: the model does not take ${parameter}`, { parameter });
}

function collectFields(value: unknown, depth: number, found = new Map<string, unknown[]>()): Map<string, unknown[]> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return found;
  for (const [name, held] of Object.entries(value)) {
    if (CONTENT.has(name) || SCHEMAS.has(name) || held === undefined) continue;
    found.set(name, [...(found.get(name) ?? []), held]);
    if (depth > 1) collectFields(held, depth - 1, found);
  }
  return found;
}
