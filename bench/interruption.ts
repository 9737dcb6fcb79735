const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort(new Error('interrupted')));

/** Aborted when somebody asks the benchmark to end; what was started is then stopped on the way out. */
export const interruption: AbortSignal = controller.signal;

/** Runs `measure` round after round. */
export async function inRounds<T>(rounds: number, measure: (round: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let round = 0; round < rounds; round += 1) {
    interruption.throwIfAborted();
    done.push(await measure(round));
  }
  return done;
}
