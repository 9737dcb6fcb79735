const ends: (() => Promise<void>)[] = [];

/** Makes something for the first who asks, and gives it to whoever asks later in the same test file. */
export function sharedByFile<T>(make: () => T, end: (made: T) => Promise<void>): () => T {
  let made: T | undefined;
  return () => {
    if (made !== undefined) return made;
    const one = make();
    made = one;
    ends.push(async () => {
      made = undefined;
      await end(one);
    });
    return one;
  };
}

/** Ends what was shared. */
export async function endShared(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()));
}
