interface Scored {
  readonly output: string | null;
}

/** Characters of the output, as people count them for most scripts: code points. */
export function scorer({ output }: Scored): number {
  return [...(output ?? '')].length;
}
