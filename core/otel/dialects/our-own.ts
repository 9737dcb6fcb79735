import { SPAN_TYPES } from '../../traces/catalogue/span-types.ts';
import { type Dialect, source } from '../dialect.ts';
import { isObject, parsedJson, toJsonText } from '../messages/json-text.ts';

const AGENT_TYPES = ['default', 'planner', 'react', 'reflection', 'router', 'classifier', 'supervisor', 'judge'];
const CHECK_STAGES = ['pre', 'post'];
const among = <T extends string>(allowed: readonly T[], text: string | undefined): T | undefined =>
  allowed.find((value) => value === text?.toLowerCase());

/** Attributes under a prefix of our own, for senders that know us; they win over every convention. */
export const ourOwn: Dialect = {
  id: 'our_own',
  sources: {
    type: [source(1, (reader) => among(SPAN_TYPES, reader.ownText('span.type')))],
    agent_type: [source(1, (reader) => among(AGENT_TYPES, reader.ownText('agent.type')))],
    check_stage: [source(1, (reader) => among(CHECK_STAGES, reader.ownText('check.stage')))],
    session: [source(1, (reader) => reader.ownText('session.id'))],
    dataset_input: [source(1, (reader) => reader.ownTextAnywhere('dataset.input'))],
    dataset_output: [source(1, (reader) => reader.ownTextAnywhere('dataset.output'))],
    dataset_metadata: [source(1, (reader) => textsIn(reader.ownTextAnywhere('dataset.metadata')))],
  },
};

/** The members of an object that came as JSON text, as texts. */
function textsIn(text: string | undefined): Record<string, string> | undefined {
  const object = text === undefined ? undefined : parsedJson(text);
  return isObject(object)
    ? Object.fromEntries(Object.entries(object).map(([key, value]) => [key, toJsonText(value)]))
    : undefined;
}
