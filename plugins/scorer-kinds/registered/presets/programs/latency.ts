interface Scored {
  readonly metrics?: { readonly duration_ns?: number | null };
}

/** Milliseconds that the record took. */
export function scorer({ metrics }: Scored): number {
  const value = metrics?.duration_ns;
  if (typeof value !== 'number') throw new Error('the record has no duration');
  return value / 1_000_000;
}
