import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import {
  type Completion,
  type CompletionRequest,
  type FinishReason,
  readJson,
  type ToolCall,
  z,
} from '../../core/plugin-sdk/index.ts';
import { getUsage, modelVersionIn } from './ai-sdk-reply.ts';

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** A completion, put together of the parts of a stream of the AI SDK. */
export class StreamedCompletion {
  readonly #request: CompletionRequest;
  readonly #texts: string[] = [];
  readonly #calls: ToolCall[] = [];
  #model: string | undefined;
  #finish: Finish | undefined;
  /** The newest body that told of tokens; what adapters do not read stands there. */
  lastBody: unknown;
  #hasBody = false;

  constructor(request: CompletionRequest) {
    this.#request = request;
  }

  /** Takes the next part; returns the text that it adds. */
  add(part: LanguageModelV4StreamPart): string {
    if (part.type === 'text-delta') {
      this.#texts.push(part.delta);
      return part.delta;
    }
    if (part.type === 'tool-call') this.#calls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
    if (part.type === 'response-metadata') this.#model = part.modelId ?? this.#model;
    if (part.type === 'finish') this.#finish = part;
    if (part.type === 'raw') this.#addBody(part.rawValue);
    return '';
  }

  /** Undefined when the stream held no reply, or broke off before its end. */
  toCompletion(): Completion | undefined {
    const { schema, model } = this.#request;
    if (!this.#finish || !this.#hasBody || isBrokenOff(this.#finish)) return undefined;
    const text = this.#texts.join('');
    const value = schema ? readJson(z.unknown(), text) : undefined;
    return {
      text,
      ...(value !== undefined && { value }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
      usage: getUsage(this.#finish.usage),
      finish_reason: this.#finish.finishReason.unified.replace('-', '_') as FinishReason,
      model: this.#model ?? modelVersionIn({ body: this.lastBody }) ?? model,
    };
  }

  #addBody(body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    this.#hasBody = true;
    if ('usage' in body || 'modelVersion' in body) this.lastBody = body;
  }
}

/** Adapters end a stream that broke off with a reason of their own, or with none of the service's. */
const isBrokenOff = ({ finishReason: { unified, raw } }: Finish): boolean =>
  (unified as string) === 'interrupted' || (unified === 'other' && raw === undefined);
