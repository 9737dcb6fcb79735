interface Context {
  readonly spans: readonly { readonly type: string; readonly name: string; readonly input: unknown }[];
}

/** How many calls of tools repeat the call before them. */
export function scorer(_record: unknown, { spans }: Context): number {
  const calls = spans.filter(({ type }) => type === 'tool').map(({ name, input }) => JSON.stringify([name, input]));
  return calls.filter((call, at) => at > 0 && call === calls[at - 1]).length;
}
