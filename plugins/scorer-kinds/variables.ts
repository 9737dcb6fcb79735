import { outline, subtree } from './outline.ts';
import { numbered, payloadText, toChunks } from './payload-text.ts';
import { getTraceAround, type SeenRecord, type Sight } from './seen-record.ts';
import type { Variable } from './template.ts';

type Piece = Exclude<Variable, 'material' | `metadata.${string}`>;

const TEXT_OF: Readonly<Record<Piece, (sight: Sight) => string | undefined>> = {
  input: ({ record }) => payloadText(record.input),
  output: ({ record }) => payloadText(record.output),
  ground_truth: ({ ground_truth }) => ground_truth,
  context: (sight) => numbered(retrieved(sight)),
  tools: (sight) => lines(getTools(sight)),
  conversation: (sight) => (sight.record.type === 'llm' ? exchange(sight.record) : conversation(sight)),
  trace: computeOutline,
  trace_input: (sight) => payloadText(getTraceAround(sight)?.input),
  trace_output: (sight) => payloadText(getTraceAround(sight)?.output),
};

/** Text of a variable; undefined when the record and its surroundings have none. */
export function toVariableText(variable: Exclude<Variable, 'material'>, sight: Sight): string | undefined {
  if (!isMetadata(variable)) return TEXT_OF[variable](sight);
  const key = variable.slice('metadata.'.length);
  const maps = [sight.record, getTraceAround(sight)].flatMap((one) => (one ? [one.user_metadata, one.dataset_metadata] : []));
  return payloadText(maps.find((map) => Object.hasOwn(map, key))?.[key]);
}

/** The chunks that a retriever, or all retrievers of a trace, found, in order. */
export function retrieved({ record, around }: Sight): string[] {
  if (record.type === 'retriever') return toChunks(record.output);
  return around.filter(({ type }) => type === 'retriever').flatMap(({ output }) => toChunks(output));
}

const isMetadata = (variable: Variable): variable is `metadata.${string}` => variable.startsWith('metadata.');

/** The tools a model call could use; of a tool span its definition, else those of all model calls around. */
function getTools({ record, around }: Sight): string[] {
  const offered = record.type === 'llm' ? record.tools : around.flatMap(({ tools }) => tools);
  const texts = [...new Set(offered.map((tool) => JSON.stringify(tool)))];
  return record.type === 'tool' ? texts.filter((text) => text.includes(`"name":${JSON.stringify(record.name)}`)) : texts;
}

function computeOutline({ record, around }: Sight): string | undefined {
  const spans = around.length > 0 ? around : [record];
  const inside = record.type === 'agent' || record.type === 'workflow' ? subtree(record, spans) : spans;
  return outline(inside);
}

/** The turns of a session, of a trace's those up to itself. */
function conversation({ record, around }: Sight): string | undefined {
  const traces = around.filter(({ type }) => type === 'trace');
  const last = traces.findIndex(({ id }) => id === record.id);
  return lines(traces.slice(0, last === -1 ? undefined : last + 1).flatMap((trace) => exchange(trace) ?? []));
}

/** Question and answer; messages of a model call name their speakers themselves. */
function exchange({ type, input, output }: SeenRecord): string | undefined {
  const [asked, answered] = [payloadText(input), payloadText(output)];
  const saysWho = type === 'llm' && typeof input !== 'string';
  return lines([
    ...(asked === undefined ? [] : [saysWho ? asked : `user: ${asked}`]),
    ...(answered === undefined ? [] : [`assistant: ${answered}`]),
  ]);
}

const lines = (texts: readonly string[]): string | undefined => (texts.length > 0 ? texts.join('\n\n') : undefined);
