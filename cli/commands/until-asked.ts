/** Works until it is done, or until the process is asked to end: what was made for the work is taken away first. */
export async function untilAsked<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const asked = new AbortController();
  const end = () => asked.abort(new Error('asked to end'));
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    return await work(asked.signal);
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}
