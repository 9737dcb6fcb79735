interface Scored {
  readonly metrics?: { readonly cost?: number | null };
}

/** Cost of the record, in US dollars. */
export function scorer({ metrics }: Scored): number {
  const value = metrics?.cost;
  if (typeof value !== 'number') throw new Error('the record has no cost');
  return value;
}
