import type { Sent } from './sent.ts';
import type { Message, ShownRecord } from './trace-view.ts';

export const COLUMNS = ['spans', 'types', 'messages', 'tools', 'tokens', 'cost', 'session', 'user', 'errors'] as const;
export type Column = (typeof COLUMNS)[number];
export type Cell = 'right' | 'not sent' | 'lost';
export type SenderRow = Readonly<Record<Column, Cell>>;

interface Seen {
  readonly traces: readonly ShownRecord[];
  readonly spans: readonly ShownRecord[];
  /** Names that the application gave its sessions. */
  readonly sessions: readonly string[];
}

interface Call extends ShownRecord {
  /** The words of the sender about this call, in its own span. */
  readonly said: string;
  /** The same without its input, which may hold the counts of earlier calls. */
  readonly said_of_use: string;
  readonly messages: readonly Message[];
  readonly reply: Reply | null;
}

type Reply = Message & { readonly tool_calls?: readonly { function: { name: string; arguments: string } }[] };

const ANSWER = 'Paris is the capital of France.';
const QUESTION = 'What is the weather in Paris?';
const RULES = 'Be brief.';
const RESULT = 'sunny';
const ERROR = 'does not exist';

/** A row of the table of senders: what the application did is seen, was never sent, or was sent and is not seen. */
export function toRow(sent: Sent, seen: Seen): SenderRow {
  const cell = (isRight: boolean, isSent: boolean): Cell => (isRight ? 'right' : isSent ? 'lost' : 'not sent');
  const says = (word: string): boolean => sent.text.includes(word);
  const calls = seen.spans.filter(({ type }) => type === 'llm').map((span) => toCall(span, sent));
  const answered = calls.filter(({ status_code }) => (status_code ?? 200) < 400);
  // Some senders have spans of a call's kind around what they do for one, and count nothing there.
  const counting = answered.filter(({ said_of_use }) => COUNT.test(said_of_use));
  const counted = counting.filter(({ user_metadata }) => user_metadata['otel.counted_elsewhere'] === undefined);
  const asked = (counting.length > 0 ? counting : answered).filter(({ said }) => said.includes(QUESTION));
  return {
    spans: cell(seen.spans.length === sent.spans.size, true),
    types: cell(hasKinds(seen.spans, sent), true),
    messages: cell(haveMessages(asked, answered) && traceIsTold(seen), asked.length > 0),
    tools: cell(
      haveTools(answered) && toolsRan(seen.spans, sent),
      answered.some(({ said }) => said.includes(RESULT)),
    ),
    tokens: cell(counted.length > 0 && counted.every(hasTokens), counted.length > 0),
    cost: cell(counted.length > 0 && counted.every(({ metrics }) => (metrics.cost ?? 0) > 0), counted.length > 0),
    session: cell(seen.sessions.includes('session-1'), says('session-1')),
    user: cell(
      seen.traces.some(({ user_metadata }) => user_metadata['user.id'] === 'user-1'),
      says('user-1'),
    ),
    errors: cell(seen.spans.some(hasError), says(ERROR)),
  };
}

function toCall(span: ShownRecord, sent: Sent): Call {
  const messages = Array.isArray(span.input) ? (span.input as readonly Message[]) : [];
  const said = sent.spans.get(span.external_id) ?? '';
  return { ...span, messages, reply: span.output as Call['reply'], said, said_of_use: said.replace(INPUT, '') };
}

const INPUT = /"input\.value":"(?:[^"\\]|\\.)*"/g;

/** A number of tokens of an answer; in an attribute of its own, or in JSON. */
const COUNT = /"(?=[^"\\]*token)[^"\\]*(?:output|completion|candidates)[^"\\]*\\?": ?[1-9]/i;

/** A sender that says which kind of work a span is. */
const CALL = /"openinference\.span\.kind":"LLM"|"gen_ai\.operation\.name":"(chat|generate_content)"|"llm\.request\.type":"chat"/;
const AGENT = /"openinference\.span\.kind":"AGENT"|"invoke_agent"|"traceloop\.span\.kind":"agent"|"mlflow\.spanType":"\\"AGENT/i;
const TOOL = /"openinference\.span\.kind":"TOOL"|"execute_tool"|"traceloop\.span\.kind":"tool"|"mlflow\.spanType":"\\"TOOL/i;

function hasKinds(spans: readonly ShownRecord[], { text }: Sent): boolean {
  const has = (wanted: string) => spans.some(({ type }) => type === wanted);
  return (!CALL.test(text) || has('llm')) && (!AGENT.test(text) || has('agent')) && (!TOOL.test(text) || has('tool'));
}

/** There, and not a second time in the same words. */
const isOnce = (questions: readonly Message[]): boolean =>
  questions.length > 0 && new Set(questions.map(({ content }) => content)).size === questions.length;

/** The question in every call that was told it, rules once, and the answer at the end. */
function haveMessages(asked: readonly Call[], answered: readonly Call[]): boolean {
  const isTold = ({ messages, said }: Call) => {
    const rules = messages.filter(({ role, content }) => ['system', 'developer'].includes(role) && content !== '');
    const questions = messages.filter(({ role, content }) => role === 'user' && content.includes(QUESTION));
    return isOnce(questions) && (rules.length === 1 || (rules.length === 0 && !said.includes(RULES)));
  };
  return asked.length > 0 && asked.every(isTold) && answered.some(({ reply }) => JSON.stringify(reply ?? '').includes(ANSWER));
}

const traceIsTold = ({ traces }: Seen): boolean =>
  traces.some(({ input, output }) => String(input).includes(QUESTION) && String(output).includes(ANSWER));

/** The model called the tool, as its reply or as what it was reminded of, and was told the result. */
const haveTools = (calls: readonly Call[]): boolean =>
  calls.some(({ reply, messages }) =>
    [...(reply ? [reply] : []), ...(messages as readonly Reply[])]
      .flatMap(({ tool_calls }) => tool_calls ?? [])
      .some(({ function: { name, arguments: given } }) => name === 'get_weather' && given.includes('Paris')),
  ) && calls.some(({ messages }) => messages.some(({ role, content }) => role === 'tool' && content.includes(RESULT)));

/** Where the tool has a span that tells of it: what it was given, and what it gave. */
const toolsRan = (spans: readonly ShownRecord[], sent: Sent): boolean =>
  spans
    .filter(({ type, name }) => type === 'tool' && name.includes('get_weather'))
    .filter(({ external_id }) => sent.spans.get(external_id)?.includes(RESULT))
    .every(({ input, output }) => JSON.stringify(input).includes('Paris') && JSON.stringify(output).includes(RESULT));

/** Those that the sender says of the call at all. */
function hasTokens({ metrics, said_of_use }: Call): boolean {
  const isSaid = (name: RegExp) =>
    new RegExp(`"(?=[^"\\\\]*token)[^"\\\\]*(?:${name.source})[^"\\\\]*\\\\?": ?[1-9]`, 'i').test(said_of_use);
  return (
    // Each model was asked 120; some senders add those that were cached, and say so.
    (metrics.num_input_tokens === 120 || said_of_use.includes(`"llm.token_count.prompt":${metrics.num_input_tokens}`)) &&
    // Some count reasoning tokens on top of the output.
    (metrics.num_output_tokens === 30 || (metrics.num_output_tokens === 40 && isSaid(/output/))) &&
    (!isSaid(/cache/) || metrics.num_cached_input_tokens === 100) &&
    (!isSaid(/reasoning|thought/) || metrics.num_reasoning_tokens === 10)
  );
}

const hasError = ({ status_code, user_metadata, output }: ShownRecord): boolean =>
  (status_code ?? 0) >= 400 && `${Object.values(user_metadata).join()}${JSON.stringify(output)}`.includes(ERROR);
