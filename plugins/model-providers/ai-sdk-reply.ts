import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { TokenUsage } from '../../core/plugin-sdk/index.ts';

/** Token counts that were reported. */
export function getUsage({ inputTokens, outputTokens }: LanguageModelV4GenerateResult['usage']): TokenUsage {
  const counts = {
    input_tokens: inputTokens.total,
    cached_tokens: inputTokens.cacheRead,
    cache_write_tokens: inputTokens.cacheWrite,
    output_tokens: outputTokens.total,
    reasoning_tokens: outputTokens.reasoning,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}

/** Google's name for the model that answered: its adapter does not read it. */
export function modelVersionIn(response: LanguageModelV4GenerateResult['response']): string | undefined {
  const { modelVersion } = Object(response?.body) as { modelVersion?: unknown };
  return typeof modelVersion === 'string' ? modelVersion : undefined;
}
