/** For log lines: where an error came from, and what caused it. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\ncaused by: ${error.cause.stack ?? error.cause.message}` : '';
  return `${error.stack ?? error.message}${cause}`;
}

/** Node's own errors of sockets and files have a code of capitals, such as ECONNRESET; `fetch` hides it in the cause. */
const isOfTheSystem = (error: unknown): boolean =>
  error instanceof Error &&
  typeof (error as { code?: unknown }).code === 'string' &&
  /^(E[A-Z]+|UND_ERR_\w+)$/.test((error as { code?: string }).code!);

const DEFECTS = [TypeError, RangeError, ReferenceError, SyntaxError] as const;

/** Whether an error is a fault of code, which the same call meets again, rather than of circumstances. */
export const isDefect = (error: unknown): error is Error =>
  DEFECTS.some((kind) => error instanceof kind) && !isOfTheSystem(error) && !isOfTheSystem((error as Error).cause);

export const isPassing = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || error.name === 'AbortError' || isOfTheSystem(error) || isOfTheSystem(error.cause));
