import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WidgetData } from '../../core/trends/widget-query.ts';
import { PATIENCE_MS } from '../setup/timing.ts';
import { callTestConsole } from './console-api.ts';
import { newLogStream } from './sent-trace.ts';

export interface Traffic {
  readonly project_id: string;
  readonly log_stream_id: string;
  /** Of the log stream, in the console as in the API. */
  readonly path: string;
}

const MINUTE_MS = 60_000;

/** A log stream with traces of the last hours, one in four of which failed, once they are counted in its dashboard. */
export async function newTraffic(traces = 12): Promise<Traffic> {
  const place = await newLogStream();
  const { project_id, log_stream_id } = place;
  await callTestConsole('POST', `/projects/${project_id}/traces`, {
    log_stream_id,
    traces: Array.from({ length: traces }, (_, index) => toTrace(index)),
  });
  const path = `/projects/${project_id}/log_streams/${log_stream_id}`;
  await untilCounted(path, traces, { start_time: new Date(Date.now() - 86_400_000), end_time: new Date() });
  return { ...place, path };
}

function toTrace(index: number) {
  const created_at = new Date(Date.now() - (index + 1) * 20 * MINUTE_MS).toISOString();
  const failed = index % 4 === 0 ? { status_code: 500 } : { status_code: 200 };
  const model = index % 2 === 0 ? 'large' : 'small';
  const metrics = { duration_ns: (index + 1) * 1e8, num_input_tokens: 100, num_output_tokens: 20, num_total_tokens: 120 };
  const answer = { type: 'llm', name: 'answer', model, created_at, input: 'a', output: 'b', metrics };
  const lookup = { type: 'tool', name: 'lookup', created_at, input: 'a', output: 'the index is closed', ...failed };
  const spans = [answer, lookup];
  return { id: randomUUID(), name: 'question', created_at, input: 'a', output: 'b', ...failed, metrics, spans };
}

/** The dashboard is counted up behind the requests that bring the records. */
export async function untilCounted(path: string, traces: number, time: { start_time: Date; end_time: Date }): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(250)) {
    const { widgets } = await callTestConsole<{ widgets: WidgetData[] }>('POST', `${path}/trends/widgets/query`, time);
    if (widgets.find(({ name }) => name === 'Total traces')?.series[0]?.value === traces) return;
  }
  throw new Error(`${traces} traces were not counted within ${PATIENCE_MS} ms`);
}
