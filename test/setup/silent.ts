import type { Log } from '../../core/kernel/ports.ts';

/** A log that nobody reads. */
export const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
