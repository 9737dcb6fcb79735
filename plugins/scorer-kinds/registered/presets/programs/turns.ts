interface Context {
  readonly traces: readonly unknown[];
}

/** How many traces a session has: each is a turn of the user. */
export const scorer = (_record: unknown, { traces }: Context): number => traces.length;
