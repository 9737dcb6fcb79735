import { type JudgeCall, type JudgeCompletion, type JudgeModel, PluginError, type Vote } from '../../../core/plugin-sdk/index.ts';
import type { UsageTally } from '../usage-tally.ts';
import { type ReadAnswer, readAnswer } from './answer.ts';
import type { AnswerForm } from './answer-schema.ts';
import type { Definition } from './definition.ts';
import type { Prompt } from './prompt.ts';
import type { VerdictForm } from './verdict-form.ts';

/** How often an answer that cannot be used is asked for again. */
const REPEATS = 2;

export interface VoteRequest {
  readonly model: JudgeModel;
  readonly judge: number;
  readonly nonce: string;
  readonly prompt: Prompt;
  readonly answer: AnswerForm;
  readonly form: VerdictForm;
  readonly definition: Pick<Definition, 'max_tokens'>;
  readonly temperature: number | undefined;
  readonly signal: AbortSignal;
  readonly tally: UsageTally;
}

/** A vote, or why this judge gave none. */
export type VoteResult = { readonly vote: Vote } | { readonly failure: string };

/**
 * Asks one judge until there is an answer that can be used: what is malformed is asked for again in the same conversation,
 * at most twice, and what was cut at the token limit once, with twice the limit. A refusal is final.
 */
export async function askJudge(interview: VoteRequest): Promise<VoteResult> {
  try {
    return await converse(interview);
  } catch (error) {
    interview.signal.throwIfAborted();
    if (error instanceof PluginError) return { failure: error.message };
    throw error;
  }
}

async function converse(interview: VoteRequest): Promise<VoteResult> {
  const { prompt, answer, form } = interview;
  const { max_tokens } = interview.definition;
  let messages = prompt.messages;
  let limit = max_tokens;
  let problem = '';
  for (let repeats = 0; repeats <= REPEATS; ) {
    const completion = await ask(interview, messages, limit);
    if (completion.finish_reason === 'content_filter') return { failure: 'the model refused to judge' };
    const read: ReadAnswer = readAnswer(answer, form, completion);
    if ('vote' in read) return read;
    if (wasCutShort(completion)) {
      if (limit > max_tokens) return { failure: `the answer was cut off at ${limit} tokens` };
      limit = max_tokens * 2;
      continue;
    }
    problem = read.problem;
    messages = [...messages, ...objection(completion.text, problem)];
    repeats += 1;
  }
  return { failure: `no usable answer in ${REPEATS + 1} tries: ${problem}` };
}

async function ask(interview: VoteRequest, messages: JudgeCall['messages'], max_tokens: number): Promise<JudgeCompletion> {
  const { model, judge, nonce, prompt, answer, form, temperature, signal, tally } = interview;
  const completion = await model.ask({
    judge,
    nonce,
    system: prompt.system,
    messages,
    schema: answer.schema,
    max_tokens,
    ...(temperature !== undefined && { temperature }),
    signal,
    accept: (given) => given.finish_reason !== 'content_filter' && 'vote' in readAnswer(answer, form, given),
  });
  tally.add(completion);
  return completion;
}

const wasCutShort = ({ text, finish_reason }: JudgeCompletion): boolean => finish_reason === 'length' || text.trim() === '';

const objection = (text: string, problem: string): JudgeCall['messages'] => [
  { role: 'assistant', content: text },
  { role: 'user', content: `This answer cannot be used: ${problem}. Give the whole answer again, in the form asked for.` },
];
