import type { Log, WorkContext } from '../../core/kernel/ports.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Adds the facts of the work under way to each line. Not for what several requests share, such as connections of the database:
 * their lines would name whichever request came first.
 */
export const contextLog = (log: Log, context: WorkContext): Log => ({
  info: (message, fields?: Fields) => log.info(message, { ...context.current(), ...fields }),
  warn: (message, fields?: Fields) => log.warn(message, { ...context.current(), ...fields }),
  error: (message, fields?: Fields) => log.error(message, { ...context.current(), ...fields }),
});
