interface Scored {
  readonly output: string | null;
}

/** Words of the output: runs of letters, digits, and what joins them inside a word. */
export function scorer({ output }: Scored): number {
  return (output ?? '').match(/[\p{L}\p{N}\p{M}]+(?:['’_-][\p{L}\p{N}\p{M}]+)*/gu)?.length ?? 0;
}
