import { type Logger, pino } from 'pino';
import type { Log } from '../../core/kernel/ports.ts';

/** Second line of defence: fields are picked by hand where a line is written, and these are blanked wherever they appear. */
const SECRETS = ['authorization', 'cookie', 'password', 'token', 'id_token', 'access_token', 'api_key', 'secret', 'credentials'];

/** JSON lines on standard error; standard output is kept for what people read. */
export class PinoLog implements Log {
  readonly #logger: Logger;

  constructor(level: string) {
    const paths = SECRETS.flatMap((name) => [name, `*.${name}`]);
    this.#logger = pino(
      { level, base: undefined, redact: { paths, censor: '[secret]' } },
      pino.destination({ fd: 2, sync: false }),
    );
  }

  info(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#logger.info(fields, message);
  }

  warn(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#logger.warn(fields, message);
  }

  error(message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#logger.error(fields, message);
  }
}
