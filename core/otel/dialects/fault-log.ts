import type { Log } from '../../kernel/ports.ts';
import type { DialectFault, ReportFault } from './guarded-source.ts';

/** Causes that are remembered. What a dialect does beyond them is not logged any more. */
const MAX_CAUSES = 1_000;

/** Logs each cause once in the life of the process: a span may come a thousand times a second. */
export function toFaultLog(log: Log): ReportFault {
  const told = new Set<string>();
  return (fault: DialectFault) => {
    const { dialect, field, rank, what, stack } = fault;
    const cause = JSON.stringify([dialect, field, rank, what]);
    if (told.has(cause) || told.size >= MAX_CAUSES) return;
    told.add(cause);
    log.error('an OpenTelemetry dialect failed on a span, which is kept without that field of it', {
      plugin: dialect,
      field,
      rank,
      fault: what,
      ...(stack && { stack }),
    });
  };
}
