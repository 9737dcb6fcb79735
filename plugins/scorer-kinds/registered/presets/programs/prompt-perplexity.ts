interface Scored {
  readonly metrics?: { readonly prompt_token_logprobs?: readonly number[] | null };
}

/** How surprising the prompt was to the model: e to the mean of the negative log probabilities of its tokens, 1 at least. */
export function scorer({ metrics }: Scored): number {
  const logprobs = metrics?.prompt_token_logprobs;
  if (!Array.isArray(logprobs) || logprobs.length === 0)
    throw new Error('the record has no metric "prompt_token_logprobs", a list of log probabilities');
  const mean = logprobs.reduce((sum: number, logprob: number) => sum + logprob, 0) / logprobs.length;
  return Math.exp(-mean);
}
