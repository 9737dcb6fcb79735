interface Scored {
  readonly metrics?: { readonly num_total_tokens?: number | null };
}

/** Tokens of the model call, in and out. */
export function scorer({ metrics }: Scored): number {
  const value = metrics?.num_total_tokens;
  if (typeof value !== 'number') throw new Error('the record has no number of tokens');
  return value;
}
