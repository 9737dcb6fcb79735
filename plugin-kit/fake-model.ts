import type { JudgeCall, JudgeCompletion, JudgeModel, PluginError, ReadableFiles } from '../core/plugin-sdk/index.ts';

/** A text, parts of a completion, or why there is none. */
export type FakeReply = string | Partial<JudgeCompletion> | PluginError;

/** A model of the host that returns what it is told to, at once. Each call costs 100 tokens in, 10 out and a cent. */
export class FakeModel implements JudgeModel {
  readonly calls: JudgeCall[] = [];
  readonly files?: ReadableFiles;
  readonly accepted: boolean[] = [];
  readonly #reply: (call: JudgeCall, number: number) => FakeReply;

  constructor(reply: (call: JudgeCall, number: number) => FakeReply, files?: ReadableFiles) {
    this.#reply = reply;
    if (files) this.files = files;
  }

  async ask(call: JudgeCall): Promise<JudgeCompletion> {
    call.signal.throwIfAborted();
    this.calls.push(call);
    const reply = this.#reply(call, this.calls.length - 1);
    if (reply instanceof Error) throw reply;
    const completion: JudgeCompletion = {
      text: typeof reply === 'string' ? reply : '',
      usage: { input_tokens: 100, output_tokens: 10 },
      finish_reason: 'stop',
      model: 'fake-1',
      price: 0.01,
      cached: false,
      ...(typeof reply === 'string' ? {} : reply),
    };
    this.accepted.push(call.accept(completion));
    return completion;
  }
}

/** The last message of a call: the question with its material. */
export const questionIn = ({ messages }: JudgeCall): string => messages.at(-1)?.content ?? '';
