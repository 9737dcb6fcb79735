interface Scored {
  readonly metrics?: { readonly output_token_logprobs?: readonly number[] | null };
}

/** How unsure the model was of its answer, from 0 to 1: 1 less the geometric mean of its tokens' probabilities. */
export function scorer({ metrics }: Scored): number {
  const logprobs = metrics?.output_token_logprobs;
  if (!Array.isArray(logprobs) || logprobs.length === 0)
    throw new Error('the record has no metric "output_token_logprobs", a list of log probabilities');
  const mean = logprobs.reduce((sum: number, logprob: number) => sum + logprob, 0) / logprobs.length;
  return 1 - Math.exp(mean);
}
