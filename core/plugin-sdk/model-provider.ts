import type { z } from 'zod';
import type { PluginHead, PluginHost } from './plugin.ts';

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface CompletionRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  /** JSON Schema the answer has to match; a provider without structured answers may ignore it. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly signal: AbortSignal;
}

/** Token counts as the provider reported them. */
export interface TokenUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface Completion {
  readonly text: string;
  readonly usage?: TokenUsage;
  /** The model's name as the provider answered it; an alias may have moved. */
  readonly model?: string;
  readonly finish_reason?: string;
}

export interface ModelProvider {
  /**
   * Asks the model once. MUST pass `signal` on to every request it makes, and MUST throw a PluginError, never a bare
   * Error, when the far side fails. Retrying is the caller's business.
   */
  complete(request: CompletionRequest): Promise<Completion>;
}

export interface ModelProviderPlugin<C extends z.ZodType = z.ZodType> extends PluginHead {
  readonly kind: 'model_provider';
  readonly credentials: C;
  create(host: PluginHost, credentials: z.output<C>): ModelProvider;
}

export function defineModelProvider<C extends z.ZodType>(plugin: Omit<ModelProviderPlugin<C>, 'kind'>): ModelProviderPlugin<C> {
  return Object.freeze({ ...plugin, kind: 'model_provider' as const });
}
