import { useState } from 'preact/hooks';

export interface Action<A extends unknown[]> {
  readonly busy: boolean;
  readonly error: unknown;
  run(...args: A): Promise<void>;
}

/** Something that a button or form does: whether it is under way and how it failed. A second press waits for the first. */
export function useAction<A extends unknown[]>(work: (...args: A) => Promise<unknown>): Action<A> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (...args: A): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work(...args);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}
