import { type Text, textFrom } from '../traces.ts';

/** Spans of one trace as applications send it: workflow, agent, two model calls, retriever, two tools. */
export const SPANS_PER_TRACE = 7;

export interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
}

export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface RetrievedText {
  readonly content: string;
  readonly metadata: Readonly<Record<string, string | number>>;
}

/** One question to an application that retrieves documents and calls tools, whatever protocol it is sent by. About 10 KB. */
export interface ApplicationTrace {
  readonly question: string;
  readonly answer: string;
  readonly plan: string;
  readonly documents: readonly RetrievedText[];
  readonly firstCall: ModelCall;
  readonly lastCall: ModelCall;
  readonly tools: readonly { readonly name: string; readonly input: string; readonly output: string; readonly call_id: string }[];
}

export interface ModelCall {
  readonly input: readonly Message[];
  readonly output: Message;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Different `seed`s give different texts. */
export function toApplicationTrace(seed: number): ApplicationTrace {
  const text = textFrom(seed);
  const question = text(200);
  const documents = [1, 2, 3, 4].map((rank) => toDocument(text, rank));
  const system = { role: 'system', content: text(600) };
  const user = { role: 'user', content: question };
  const calls = ['look_up_order', 'look_up_customer'].map((name, at) => toCall(name, text, at));
  const asked = { role: 'assistant', content: '', tool_calls: calls };
  const results = calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: text(300) }));
  const answer = text(700);
  return {
    question,
    answer,
    plan: text(250),
    documents,
    firstCall: { input: [system, user], output: asked, inputTokens: 275, outputTokens: 60 },
    lastCall: {
      input: [system, user, asked, ...results],
      output: { role: 'assistant', content: answer },
      inputTokens: 640,
      outputTokens: 175,
    },
    tools: calls.map(({ id, function: { name, arguments: input } }, at) => ({
      name,
      input,
      output: results[at]!.content,
      call_id: id,
    })),
  };
}

const toCall = (name: string, text: Text, at: number): ToolCall => ({
  id: `call_8c1f${at}`,
  type: 'function',
  function: { name, arguments: JSON.stringify({ query: text(80), limit: 5 }) },
});

const toDocument = (text: Text, rank: number): RetrievedText => ({
  content: text(380),
  metadata: { source: `handbook-${rank}.md`, score: 0.91 - rank / 100, rank },
});
