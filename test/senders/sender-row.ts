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
  readonly messages: readonly Message[];
  readonly reply: (Message & { readonly tool_calls?: readonly { function: { name: string; arguments: string } }[] }) | null;
}

const ANSWER = 'Paris is the capital of France.';
const QUESTION = 'What is the weather in Paris?';
const RULES = 'Be brief.';
const RESULT = 'sunny';
const ERROR = 'does not exist';

/** A row of the table of senders: what the application did is seen, was never sent, or was sent and is not seen. */
export function toRow(sent: Sent, seen: Seen): SenderRow {
  const cell = (isRight: boolean, isSent: boolean): Cell => (isRight ? 'right' : isSent ? 'lost' : 'not sent');
  const says = (...words: readonly (string | RegExp)[]): boolean =>
    words.some((word) => (typeof word === 'string' ? sent.text.includes(word) : word.test(sent.text)));
  const calls = seen.spans.filter(({ type }) => type === 'llm').map(toCall);
  const answered = calls.filter(({ status_code }) => (status_code ?? 200) < 400);
  return {
    spans: cell(seen.spans.length === sent.span_ids.size, true),
    types: cell(hasKinds(seen.spans, sent), true),
    messages: cell(haveMessages(answered, sent) && traceIsTold(seen), says(QUESTION)),
    tools: cell(haveTools(answered) && toolsRan(seen.spans), says(RESULT)),
    tokens: cell(
      answered.length > 0 && answered.every(({ metrics }) => hasTokens(metrics, sent)),
      answered.length > 0 && says(/token/i),
    ),
    cost: cell(
      answered.length > 0 && answered.every(({ metrics }) => (metrics.cost ?? 0) > 0),
      answered.length > 0 && says(/token/i),
    ),
    session: cell(seen.sessions.includes('session-1'), says('session-1')),
    user: cell(
      seen.traces.some(({ user_metadata }) => user_metadata['user.id'] === 'user-1'),
      says('user-1'),
    ),
    errors: cell(seen.spans.some(hasError), says(ERROR)),
  };
}

function toCall(span: ShownRecord): Call {
  const messages = Array.isArray(span.input) ? (span.input as readonly Message[]) : [];
  return { ...span, messages, reply: span.output as Call['reply'] };
}

/** A sender that says which kind of work a span is. */
const CALL = /"openinference\.span\.kind":"LLM"|"gen_ai\.operation\.name":"(chat|generate_content)"|"llm\.request\.type":"chat"/;
const AGENT = /"openinference\.span\.kind":"AGENT"|"invoke_agent"|"traceloop\.span\.kind":"agent"|"mlflow\.spanType":"\\"AGENT/i;
const TOOL = /"openinference\.span\.kind":"TOOL"|"execute_tool"|"traceloop\.span\.kind":"tool"|"mlflow\.spanType":"\\"TOOL/i;

function hasKinds(spans: readonly ShownRecord[], { text }: Sent): boolean {
  const has = (wanted: string) => spans.some(({ type }) => type === wanted);
  return (!CALL.test(text) || has('llm')) && (!AGENT.test(text) || has('agent')) && (!TOOL.test(text) || has('tool'));
}

/** The question in every call, rules once, and the answer at the end. */
function haveMessages(calls: readonly Call[], { text }: Sent): boolean {
  const isTold = ({ messages }: Call) => {
    const rules = messages.filter(({ role, content }) => ['system', 'developer'].includes(role) && content !== '');
    const questions = messages.filter(({ role, content }) => role === 'user' && content.includes(QUESTION));
    return questions.length === 1 && (rules.length === 1 || (rules.length === 0 && !text.includes(RULES)));
  };
  return calls.length > 0 && calls.every(isTold) && calls.some(({ reply }) => JSON.stringify(reply ?? '').includes(ANSWER));
}

const traceIsTold = ({ traces }: Seen): boolean =>
  traces.some(({ input, output }) => String(input).includes(QUESTION) && String(output).includes(ANSWER));

/** The model called the tool, and was told its result. */
const haveTools = (calls: readonly Call[]): boolean =>
  calls.some(({ reply }) =>
    (reply?.tool_calls ?? []).some(
      ({ function: { name, arguments: given } }) => name === 'get_weather' && given.includes('Paris'),
    ),
  ) && calls.some(({ messages }) => messages.some(({ role, content }) => role === 'tool' && content.includes(RESULT)));

/** Where the tool has a span: what it was given, and what it gave. */
const toolsRan = (spans: readonly ShownRecord[]): boolean =>
  spans
    .filter(({ type, name }) => type === 'tool' && name.includes('get_weather'))
    .every(({ input, output }) => JSON.stringify(input).includes('Paris') && JSON.stringify(output).includes(RESULT));

/** Those that the sender says at all. */
function hasTokens(metrics: ShownRecord['metrics'], { text }: Sent): boolean {
  const isSaid = (name: RegExp) => new RegExp(`"[^"\\\\]*${name.source}[^"\\\\]*token[^"\\\\]*":[1-9]`, 'i').test(text);
  return (
    metrics.num_input_tokens === 120 &&
    // Some count reasoning tokens on top of the output.
    (metrics.num_output_tokens === 30 || (metrics.num_output_tokens === 40 && isSaid(/output/))) &&
    (!isSaid(/cache/) || metrics.num_cached_input_tokens === 100) &&
    (!isSaid(/reasoning|thought/) || metrics.num_reasoning_tokens === 10)
  );
}

const hasError = ({ status_code, user_metadata, output }: ShownRecord): boolean =>
  (status_code ?? 0) >= 400 && `${Object.values(user_metadata).join()}${JSON.stringify(output)}`.includes(ERROR);
