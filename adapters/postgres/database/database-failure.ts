import { AppError } from '../../../core/kernel/errors.ts';

const CONNECTION_CLASSES = ['08', '57', '53'];
const RETRY_CODES = new Set(['40001', '40P01']);

const getCode = (error: unknown): string => {
  for (let at: unknown = error, steps = 0; steps < 5 && at instanceof Error; at = at.cause, steps += 1) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return '';
};

/** Two writers met; the same statement may well succeed the next time. */
export const isSerializationConflict = (error: unknown): boolean => RETRY_CODES.has(getCode(error));

/** Somebody else did not let go of a row within the time that was set. */
export const isLockTimeout = (error: unknown): boolean => getCode(error) === '55P03';

/** How the server takes a text parameter with a NUL in it: as a breach of the protocol. */
const MALFORMED_PARAMETER = '08P01';

/** The value itself cannot be stored: a data exception or a program limit of the server. */
export const isUnstorable = (error: unknown): boolean => {
  const code = getCode(error);
  return /^(22|54)/.test(code) || code === MALFORMED_PARAMETER;
};

/** A column that must have a value was left without one. */
export const isMissing = (error: unknown, column: string): boolean =>
  getCode(error) === '23502' && (error as { column?: unknown }).column === column;

/** The server is not there, is going down, has no room, or did not respond in time. */
export function isUnavailable(error: unknown): boolean {
  const code = getCode(error);
  if (code === MALFORMED_PARAMETER) return false;
  if (CONNECTION_CLASSES.some((prefix) => /^[0-9A-Z]{5}$/.test(code) && code.startsWith(prefix))) return true;
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|ENOENT)/.test(code)) return true;
  const message = error instanceof Error ? error.message : '';
  return /^(Connection terminated|Client has encountered|timeout (?:exceeded|expired)|Query read timeout|.*Timed out)/i.test(
    message,
  );
}

export const unavailable = (cause: unknown): AppError =>
  new AppError('unavailable', 'database_unavailable', 'the database does not answer', { cause, retryAfterSeconds: 1 });

/** The server ended a statement that took longer than a statement may: it is there, but was asked for too much. */
const isStatementTimeout = (error: unknown): boolean => getCode(error) === '57014';

const statementTimeout = (cause: unknown): AppError =>
  new AppError(
    'unavailable',
    'statement_timeout',
    'the database took too long over this: ask for a shorter time range or fewer records',
    {
      cause,
      retryAfterSeconds: 10,
    },
  );

/** The last net under requests: what a failure of the database means to whoever asked; undefined for a fault of ours. */
export function explainFailure(error: unknown): AppError | undefined {
  if (isStatementTimeout(error)) return statementTimeout(error);
  if (isUnavailable(error)) return unavailable(error);
  if (!isUnstorable(error)) return undefined;
  const msg = 'a value is beyond what the database can hold';
  return new AppError('invalid', 'value_unstorable', msg, {
    cause: error,
    issues: [{ loc: ['body'], msg, type: 'value_unstorable' }],
  });
}
