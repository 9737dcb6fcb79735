import type { Steps } from '../../kernel/slices.ts';
import type { DestinationOf, OtlpDestination } from '../destination.ts';
import type { Sha256 } from '../otel-ids.ts';
import type { OtlpLogRequest } from './otlp-log.ts';
import { findLogRefusal, type SpanLog, toSpanLog } from './span-log.ts';

/** Log records that go to the same place. */
export interface LogGroup {
  readonly destination: OtlpDestination;
  readonly items: readonly SpanLog[];
}

export interface LogReading {
  /** When the request arrived, as an ISO timestamp. */
  readonly now: string;
  readonly sha256: Sha256;
}

/** A few milliseconds of work. */
const CHARACTERS_AT_ONCE = 512 * 1024;
const CHARACTERS_PER_LOG = 4 * 1024;

/** Log records by where they go, and why others were refused, one text for each of them. */
export function* readLogRequest(
  { resource_logs }: OtlpLogRequest,
  getDestination: DestinationOf,
  { now, sha256 }: LogReading,
): Steps<{ groups: LogGroup[]; refused: string[] }> {
  const groups = new Map<string, { destination: OtlpDestination; items: SpanLog[] }>();
  const refused: string[] = [];
  let [count, done] = [0, 0];
  for (const { resource, scope_logs } of resource_logs) {
    for (const { scope, logs } of scope_logs) {
      for (const log of logs) {
        count += 1;
        const reason = findLogRefusal(log);
        if (reason !== undefined) {
          refused.push(reason);
          continue;
        }
        const made = toSpanLog(log, scope.name, `${now} ${String(count).padStart(6, '0')}`, sha256);
        const destination = getDestination(resource, log.attributes);
        const key = JSON.stringify(destination);
        const group = groups.get(key) ?? { destination, items: [] };
        groups.set(key, group);
        group.items.push(made);
        done += CHARACTERS_PER_LOG + getSize(made);
        if (done < CHARACTERS_AT_ONCE) continue;
        done = 0;
        yield;
      }
    }
  }
  return { groups: [...groups.values()], refused };
}

const getSize = ({ body, attributes }: SpanLog): number => JSON.stringify([body, attributes]).length;
