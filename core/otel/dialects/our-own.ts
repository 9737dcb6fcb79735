import { isJsonObject, parseJsonText, toJsonText } from '../../plugin-sdk/otel/json-text.ts';
import { SPAN_TYPES } from '../../traces/catalogue/span-types.ts';
import type { TrackingSpanReader } from '../spans/span-reader.ts';
import { type OwnSource, vocabulary } from './vocabulary.ts';

const AGENT_TYPES = ['default', 'planner', 'react', 'reflection', 'router', 'classifier', 'supervisor', 'judge'];
const CHECK_STAGES = ['pre', 'post'];
const among = <T extends string>(allowed: readonly T[], text: string | undefined): T | undefined =>
  allowed.find((value) => value === text?.toLowerCase());

/** Before whatever plugins read: their ranks are above 0. */
const source = <T>(read: (reader: TrackingSpanReader) => T | undefined): OwnSource<T> => ({ rank: 0, read });

/** Attributes under a prefix of our own, for senders that know us; they win over every convention. */
export const ourOwn = vocabulary({
  type: [source((reader) => among(SPAN_TYPES, reader.ownText('span.type')))],
  agent_type: [source((reader) => among(AGENT_TYPES, reader.ownText('agent.type')))],
  check_stage: [source((reader) => among(CHECK_STAGES, reader.ownText('check.stage')))],
  session: [source((reader) => reader.ownText('session.id'))],
  dataset_input: [source((reader) => reader.ownTextAnywhere('dataset.input'))],
  dataset_output: [source((reader) => reader.ownTextAnywhere('dataset.output'))],
  dataset_metadata: [source((reader) => textsIn(reader.ownTextAnywhere('dataset.metadata')))],
});

/** The members of an object that came as JSON text, as texts. */
function textsIn(text: string | undefined): Record<string, string> | undefined {
  const object = text === undefined ? undefined : parseJsonText(text);
  return isJsonObject(object)
    ? Object.fromEntries(Object.entries(object).map(([key, value]) => [key, toJsonText(value)]))
    : undefined;
}
