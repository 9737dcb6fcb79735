import type { RecordScan } from '../traces/read/record-scan.ts';
import type { LogRecord } from '../traces/record.ts';
import { type Finding, MAX_EVIDENCE } from './insight.ts';
import { isText, type Scan, stepName, toEvidence, toPayloadText, within } from './scan.ts';

/** Calls of one tool with one input within a trace. */
const REPEATS = 4;
/** Calls that are looked at, the newest. */
const MAX_CALLS = 20_000;

interface Loop {
  readonly name: string;
  readonly calls: readonly LogRecord[];
}

/** Traces in which a tool is called over and over with the same input. */
export async function toolLoops(recordScan: RecordScan, look: Scan): Promise<Finding[]> {
  const calls = Map.groupBy(await getCalls(recordScan, look), ({ trace_id, name, input }) =>
    JSON.stringify([trace_id, name, toPayloadText(input)]),
  );
  const loops = [...calls.values()]
    .filter((own) => own.length >= REPEATS)
    .map((own): Loop => ({ name: own[0]!.name, calls: own }));
  return [...Map.groupBy(loops, ({ name }) => name).values()].map(toFinding);
}

async function getCalls(recordScan: RecordScan, { project_id, run_id, window }: Scan): Promise<LogRecord[]> {
  const selection = { project_id, run_id, level: 'span', where: within(window, isText('type', 'tool')) } as const;
  const calls: LogRecord[] = [];
  for await (const page of recordScan.records(selection, { column_id: 'created_at', ascending: false })) {
    calls.push(...page.map(outlined));
    if (calls.length >= MAX_CALLS) break;
  }
  return calls;
}

/** Outputs may be large, and nobody asks for them here. */
const outlined = (record: LogRecord): LogRecord => ({ ...record, output: null, redacted_input: null, redacted_output: null });

function toFinding(loops: readonly Loop[]): Finding {
  const step = stepName('tool', loops[0]!.name);
  const longest = loops.reduce((most, { calls }) => Math.max(most, calls.length), 0);
  const traces = new Set(loops.map(({ calls }) => calls[0]!.trace_id)).size;
  return {
    key: `tool_loop ${JSON.stringify(loops[0]!.name)}`,
    kind: 'tool_loop',
    title: `${step} is called in circles`,
    observation: `In ${traces} traces of the last 24 hours, ${step} was called ${REPEATS} times or more with the same input.`,
    details: `At most ${longest} times in one trace.`,
    suggested_action: 'Tell the agent what the tool answered before, or stop it after a number of equal calls.',
    priority_category: 'warning',
    occurrences: traces,
    records: loops.slice(0, MAX_EVIDENCE).map(({ calls }) => toEvidence(calls[0]!)),
  };
}
