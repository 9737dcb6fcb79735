/** Rows that one trace becomes: the trace, a workflow, an agent, two model calls, a retriever and a tool. */
export const ROWS_PER_TRACE = 7;

const NO_ID = '00000000-0000-4000-8000-000000000000';
const NO_TIME = '2000-01-01T00:00:00.000Z';
/** As many digits as a drawn number has. */
const NO_NUMBER = 0.77777777;

/** The traces of a request, with holes for ids and times, so that a sender only has to fill those in. */
export interface Template {
  readonly bytes: Buffer;
  readonly ids: readonly number[];
  readonly times: readonly number[];
  readonly numbers: readonly number[];
}

/** Different `seed`s give different texts. About 9.5 KB a trace. */
export function toTraceTemplate(log_stream_id: string, traces: number, seed: number): Template {
  const text = textFrom(seed);
  const bytes = Buffer.from(JSON.stringify({ log_stream_id, traces: Array.from({ length: traces }, () => toTrace(text)) }));
  return { bytes, ids: toPlaces(bytes, NO_ID), times: toPlaces(bytes, NO_TIME), numbers: toPlaces(bytes, String(NO_NUMBER)) };
}

/** A copy of the template with its holes filled. */
export function filled({ bytes, ids, times, numbers }: Template, newId: () => string, time: string): Buffer {
  const body = Buffer.from(bytes);
  for (const at of ids) body.write(newId(), at, 'latin1');
  for (const at of times) body.write(time, at, 'latin1');
  for (const at of numbers) body.write(Math.random().toFixed(8), at, 'latin1');
  return body;
}

export type Text = (chars: number) => string;

function toTrace(text: Text): object {
  const call = () => ({
    ...head('llm', 'answer'),
    input: [
      { role: 'system', content: text(700) },
      { role: 'user', content: text(400) },
    ],
    output: { role: 'assistant', content: text(700) },
    model: 'large-model-2',
    temperature: 0.2,
    finish_reason: 'stop',
    tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } }],
    metrics: {
      duration_ns: 812_345_678,
      num_input_tokens: 275,
      num_output_tokens: 175,
      num_total_tokens: 450,
      quality: NO_NUMBER,
    },
  });
  const agent = {
    ...head('agent', 'planner'),
    agent_type: 'planner',
    input: text(300),
    output: text(600),
    spans: [
      call(),
      { ...head('retriever', 'search'), input: text(100), output: [1, 2, 3].map((rank) => toDocument(text, rank)) },
      { ...head('tool', 'look_up'), input: text(200), output: text(400), tool_call_id: 'call_8c1f' },
      call(),
    ],
  };
  const workflow = { ...head('workflow', 'steps'), input: text(300), output: text(600), spans: [agent] };
  return { ...head('trace', 'question'), input: text(300), output: text(600), tags: ['web', 'beta'], spans: [workflow] };
}

const head = (type: string, name: string) => ({
  type,
  id: NO_ID,
  name,
  created_at: NO_TIME,
  status_code: 200,
  user_metadata: { customer: 'c-1829', region: 'north', attempt: 1 },
  metrics: { duration_ns: 12_345_678 },
});

const toDocument = (text: Text, rank: number) => ({ content: text(350), metadata: { source: `page-${rank}`, rank } });

const SYLLABLES = 'ka lo mi ten ra su ve no dal ir qua be zon ti mar el pu sho ga wen'.split(' ');

/** Made-up words: neither constant nor noise, so that they compress about as prose does. */
export function textFrom(seed: number): Text {
  let state = (seed + 1) * 2_654_435_761;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const word = (): string => Array.from({ length: 1 + below(4) }, () => SYLLABLES[below(SYLLABLES.length)]).join('');
  return (chars) => {
    let made = word();
    while (made.length < chars) made += (below(12) === 0 ? '.\n' : ' ') + word();
    return made.slice(0, chars);
  };
}

function toPlaces(bytes: Buffer, hole: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(hole); at !== -1; at = bytes.indexOf(hole, at + hole.length)) places.push(at);
  return places;
}
