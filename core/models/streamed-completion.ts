import { type Completion, type CompletionRequest, type ModelProvider, PluginError } from '../plugin-sdk/index.ts';

/**
 * Asks for a completion and tells its text while it is written; the whole of it at once, where the provider gives whole answers.
 * Tells nothing more once the signal is aborted.
 */
export async function completeInParts(
  provider: ModelProvider,
  request: CompletionRequest,
  onText: (text: string) => void,
): Promise<Completion> {
  if (!provider.stream) {
    const completion = await provider.complete(request);
    request.signal.throwIfAborted();
    if (completion.text !== '') onText(completion.text);
    return completion;
  }
  for await (const part of provider.stream(request)) {
    request.signal.throwIfAborted();
    if (part.type === 'end') return part.completion;
    onText(part.text);
  }
  throw new PluginError('bad_reply', 'the answer broke off before its end');
}
