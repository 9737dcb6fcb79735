import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** The last value that arrived; stays while it is loaded again. */
  readonly value: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  reload(): void;
}

interface LoadOptions {
  /** Loads again after so many milliseconds while the page is in sight. */
  readonly everyMs?: number | undefined;
}

interface State<T> {
  readonly key: string;
  readonly value?: T;
  readonly error?: unknown;
  readonly loading: boolean;
}

/**
 * Loads the value of a key. A new key forgets the value of the old one; an answer that a later one replaced is dropped
 * and its request ended.
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>, { everyMs }: LoadOptions = {}): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key, loading: true });
  const [turn, setTurn] = useState(0);
  const newest = useRef(load);
  newest.current = load;

  useEffect(() => {
    const ending = new AbortController();
    setState((before) => (before.key === key ? { ...before, loading: true } : { key, loading: true }));
    newest.current(ending.signal).then(
      (value) => ending.signal.aborted || setState({ key, value, loading: false }),
      (error) => ending.signal.aborted || setState((before) => ({ ...before, key, error, loading: false })),
    );
    return () => ending.abort();
  }, [key, turn]);

  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.hidden || reload(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);

  const known = state.key === key;
  return {
    value: known ? state.value : undefined,
    error: known ? state.error : undefined,
    loading: !known || state.loading,
    reload,
  };
}
