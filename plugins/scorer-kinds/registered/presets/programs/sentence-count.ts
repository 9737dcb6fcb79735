interface Scored {
  readonly output: string | null;
}

/** Sentences of the output: what stands between full stops, question and exclamation marks, and blank lines. */
export function scorer({ output }: Scored): number {
  const parts = (output ?? '').split(/[.!?…]+(?=\s|$)|[。！？｡]+|\n\s*\n/u);
  return parts.filter((part) => /[\p{L}\p{N}]/u.test(part)).length;
}
