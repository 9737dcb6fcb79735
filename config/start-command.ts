/**
 * Arguments of Node that start the service, as `npm start` and the image do. V8 would let the young generation grow to
 * 128 MiB and never give it back; ingest is no quicker for it.
 */
export const START_COMMAND: readonly string[] = ['--max-semi-space-size=32', 'config/start.js'];
