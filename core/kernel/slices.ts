/** Lets whatever else waits have its turn. */
export type Pause = () => Promise<void>;

/** Work in steps of a few milliseconds: it yields where others may have their turn. */
export type Steps<T> = Generator<void, T, void>;

/** Does the work step by step, and pauses between the steps. */
export async function runInSteps<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await pause();
  }
}

/** Does all of the work at once, for callers that hold up nobody. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/**
 * As `map`, with a turn for others after each slice: what is made for thousands of records would else hold up the event loop.
 * Few items are mapped at once.
 */
export async function mapInSlices<T, R>(items: readonly T[], size: number, make: (item: T) => R): Promise<R[]> {
  const made: R[] = [];
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, 0));
    for (const item of items.slice(at, at + size)) made.push(make(item));
  }
  return made;
}
