import { z } from 'zod';
import type { InsightsService } from '../../../core/insights/insights-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import type { TraceService } from '../../../core/traces/ingest/trace-service.ts';
import type { RecordTree } from '../../../core/traces/record.ts';
import { type Tool, tool } from '../tool.ts';
import { page, project_id } from './inputs.ts';
import { FIRST_ERROR_STATUS, summarize, summarizeScore } from './summary.ts';
import { walkTree } from './trace-tree.ts';

interface Deps {
  readonly traceService: TraceService;
  readonly insightsService: InsightsService;
}

const MAX_LISTED = 20;
/** A score that says no, or that is in the lower half of 0 to 1, is shown as a reason. */
const LOW = 0.5;

/** Tools that find failures, in one trace or again and again. */
export const failureTools = ({ traceService, insightsService }: Deps): Tool[] => [
  tool({
    name: 'why_did_it_fail',
    title: 'Why did this trace fail',
    description:
      'What is wrong with one trace: its failed steps with their messages (the first one to fail first), low scores with their explanations, scorers that failed themselves, and its slowest steps.',
    input: z.object({ project_id, trace_id: Id }),
    call: async (caller, { project_id, trace_id }) => explain(await traceService.getTrace(caller, project_id, trace_id)),
  }),
  tool({
    name: 'list_insights',
    title: 'List insights',
    description: 'What was found in the records of a log stream over time: clusters of errors, drops of scores, loops of tools.',
    input: z.object({ project_id, log_stream_id: Id, ...page }),
    call: (caller, { project_id, log_stream_id: run_id, ...wanted }) =>
      insightsService.listInsights(caller, { project_id, run_id }, { ...wanted, status: undefined }),
  }),
];

function explain(trace: RecordTree) {
  const records = [...walkTree(trace)];
  const failed = records.filter(({ status_code }) => typeof status_code === 'number' && status_code >= FIRST_ERROR_STATUS);
  const judged = records.flatMap((record) => listScores(record));
  const steps = records.slice(1).sort((a, b) => toDuration(b) - toDuration(a));
  return {
    trace: summarize({ ...trace, metric_info: {} }),
    failed_steps: first(failed.sort((a, b) => String(a.created_at).localeCompare(String(b.created_at))).map(summarize)),
    low_scores: first(judged.filter(({ score }) => isLow(score))),
    scorers_that_failed: first(judged.filter(({ score }) => ['error', 'failed'].includes(String(score.status_type)))),
    slowest_steps: steps.slice(0, 5).map(({ id, type, name, metrics }) => ({ id, type, name, ...toMetrics(metrics) })),
  };
}

/** The first ones, and how many there are. */
const first = <T>(all: readonly T[]) => ({ count: all.length, shown: all.slice(0, MAX_LISTED) });

const listScores = ({ id, type, name, metric_info }: RecordTree) =>
  Object.entries((metric_info ?? {}) as Record<string, Record<string, unknown>>).map(([scorer, info]) => ({
    record: { id, type, name },
    scorer,
    score: summarizeScore(info),
  }));

const isLow = ({ status_type, value }: Readonly<Record<string, unknown>>): boolean =>
  status_type === 'success' && (value === false || (typeof value === 'number' && value >= 0 && value < LOW));

const toMetrics = (metrics: unknown): Readonly<Record<string, unknown>> => (metrics ?? {}) as Record<string, unknown>;

const toDuration = ({ metrics }: RecordTree): number => Number(toMetrics(metrics).duration_ns ?? 0);
