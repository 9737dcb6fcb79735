const WIDTH = 30;

/** Draws a bar on standard error, where that is a terminal. */
export function drawProgress(done: number, total: number): void {
  const stderr = typeof process === 'undefined' ? undefined : process.stderr;
  if (!stderr?.isTTY) return;
  const filled = Math.floor((WIDTH * done) / total);
  stderr.write(`\r[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${done} of ${total} rows${done === total ? '\n' : ''}`);
}
