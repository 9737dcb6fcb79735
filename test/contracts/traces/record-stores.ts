import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { AnnotationQueueStore } from '../../../core/annotation/annotation-queue-store.ts';
import type { BookmarkStore } from '../../../core/bookmarks/bookmark-store.ts';
import type { CommentStore } from '../../../core/comments/comment-store.ts';
import type { DataExportStore } from '../../../core/data-export/data-export-store.ts';
import type { DatasetRuleStore } from '../../../core/datasets/rules/dataset-rule-store.ts';
import type { DatabaseFileContents, FileStore } from '../../../core/files/file-store.ts';
import type { InsightStore } from '../../../core/insights/insight-store.ts';
import type { Transactions } from '../../../core/kernel/ports.ts';
import type { MaskingStore } from '../../../core/masking/masking-store.ts';
import type { AnswerCache } from '../../../core/models/answer-cache.ts';
import type { PriceStore } from '../../../core/models/prices/own-prices.ts';
import type { SpendingStore } from '../../../core/models/spending.ts';
import type { SpanLogStore } from '../../../core/otel/logs/span-log-store.ts';
import type { MetricSeriesStore } from '../../../core/otel/metrics/metric-series-store.ts';
import type { OtelTraceStore } from '../../../core/otel/otel-trace-store.ts';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { RunDirectory } from '../../../core/projects/run-context.ts';
import type { PromptUsageStore } from '../../../core/prompts/prompt-usage-store.ts';
import type { RatingStore } from '../../../core/ratings/rating-store.ts';
import type { SavedViewStore } from '../../../core/saved-views/saved-view-store.ts';
import type { JudgeCallStore } from '../../../core/scorers/evidence/judge-call-store.ts';
import type { Rescoring } from '../../../core/scorers/recompute/recompute.ts';
import type { IdleSessions } from '../../../core/scorers/scoring/idle-sessions.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import type { MetricSettings, StoredEntry } from '../../../core/scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../../core/scores/metric-settings-store.ts';
import type { ScoresBelow } from '../../../core/scores/roll-up.ts';
import type { ScoreStore } from '../../../core/scores/score-store.ts';
import type { IngestBatchStore } from '../../../core/traces/batches/ingest-batch-store.ts';
import { BLANK_RECORD } from '../../../core/traces/blank-record.ts';
import type { ColumnStore } from '../../../core/traces/columns/column-store.ts';
import type { IdleTraces } from '../../../core/traces/ingest/idle-traces.ts';
import type { RecordEstimates } from '../../../core/traces/read/record-estimates.ts';
import type { RecordScan } from '../../../core/traces/read/record-scan.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { RecordRemoval } from '../../../core/traces/retention/record-removal.ts';
import type { RetentionStore } from '../../../core/traces/retention/retention-store.ts';
import type { SessionStore } from '../../../core/traces/sessions/session-store.ts';
import type { RecordBatch, TraceStore } from '../../../core/traces/trace-store.ts';
import type { AlertStore } from '../../../core/trends/alert-store.ts';
import type { DashboardStore } from '../../../core/trends/dashboard-store.ts';
import type { NotificationRouteStore } from '../../../core/trends/routing/notification-route-store.ts';
import type { RunMetrics } from '../../../core/trends/run-metrics.ts';
import type { SeriesStore } from '../../../core/trends/series-store.ts';
import type { TrendStore } from '../../../core/trends/trend-store.ts';
import type { WorkList } from '../../../core/trends/work-list.ts';

/** The stores around records, sharing what the stores of one database share. */
export interface RecordStores {
  readonly projectStore: ProjectStore;
  readonly traceStore: TraceStore;
  readonly otelTraceStore: OtelTraceStore;
  readonly spanLogStore: SpanLogStore;
  readonly metricSeriesStore: MetricSeriesStore;
  readonly idleTraces: IdleTraces;
  readonly sessionStore: SessionStore;
  readonly scoreStore: ScoreStore;
  readonly sessionScoreStore: ScoreStore;
  readonly judgeCallStore: JudgeCallStore;
  readonly idleSessions: IdleSessions;
  readonly scoresBelow: ScoresBelow;
  readonly answerCache: AnswerCache;
  readonly priceStore: PriceStore;
  readonly fileStore: FileStore;
  readonly fileContents: DatabaseFileContents;
  readonly maskingStore: MaskingStore;
  readonly savedViewStore: SavedViewStore;
  readonly ingestBatchStore: IngestBatchStore;
  readonly spendingStore: SpendingStore;
  readonly ratingStore: RatingStore;
  readonly bookmarkStore: BookmarkStore;
  readonly commentStore: CommentStore;
  readonly datasetRuleStore: DatasetRuleStore;
  readonly dataExportStore: DataExportStore;
  readonly annotationQueueStore: AnnotationQueueStore;
  /** Of the database that the stores share. */
  readonly transactions: Transactions;
  readonly columnStore: ColumnStore;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly runDirectory: RunDirectory;
  readonly recordEstimates: RecordEstimates;
  readonly recordScan: RecordScan;
  readonly recordRemoval: RecordRemoval;
  readonly rescoring: Rescoring;
  readonly runMetrics: RunMetrics;
  readonly retentionStore: RetentionStore;
  readonly trendStore: TrendStore;
  readonly promptUsageStore: PromptUsageStore;
  readonly seriesStore: SeriesStore;
  readonly dashboardStore: DashboardStore;
  readonly alertStore: AlertStore;
  readonly notificationRouteStore: NotificationRouteStore;
  readonly workList: WorkList;
  readonly insightStore: InsightStore;
  /** Resolves once what is derived from records behind the write path is up to date. */
  settle(): Promise<void>;
  /** Jobs that were asked for so far, of one run. */
  jobs(run: RunKey): Promise<ScoringJob[]>;
  close(): Promise<void>;
}

export interface RunKey {
  readonly project_id: string;
  readonly run_id: string;
}

/** The stores of a contract, and the run of one test. */
export type Fixture = () => { readonly stores: RecordStores; readonly run: RunKey };

/** Opens the stores once for the tests of a `describe`, and makes a run for each of them. */
export function getFixture(open: () => Promise<RecordStores>): Fixture {
  let stores: RecordStores;
  let run: RunKey;
  beforeAll(async () => {
    stores = await open();
  });
  beforeEach(async () => {
    run = await newRun(stores);
  });
  afterAll(() => stores.close());
  return () => ({ stores, run });
}

export const CREATED = '2026-01-02T03:04:05.678Z';

/** A log stream in a project of its own, or in the given one. */
export async function newRun(
  { projectStore }: RecordStores,
  project_id: string = randomUUID(),
  run_id: string = randomUUID(),
): Promise<RunKey> {
  const times = { created_at: CREATED, updated_at: CREATED };
  if (!(await projectStore.findProject(project_id))) {
    const facts = { type: 'gen_ai', type_is_default: false, created_by: randomUUID(), description: null, labels: [] } as const;
    await projectStore.insertProject({ id: project_id, name: project_id, ...facts, labels: [], ...times });
  }
  const facts = { kind: 'log_stream', created_by: null, has_user_created_sessions: false } as const;
  await projectStore.insertRun({ project_id, id: run_id, name: run_id, ...facts, ...times });
  return { project_id, run_id };
}

/** A settings entry of a code scorer that looks at traces. */
export function entry(facts: Partial<StoredEntry> = {}): StoredEntry {
  return {
    id: randomUUID(),
    name: 'reply_length',
    scorer_type: 'code',
    model_type: 'code',
    model_name: null,
    num_judges: null,
    filters: [],
    scoreable_node_types: ['trace'],
    cot_enabled: null,
    output_type: null,
    input_type: null,
    scorer_version_id: null,
    multimodal_capabilities: null,
    score_type: null,
    roll_up_method: null,
    daily_budget: null,
    enabled_at: CREATED,
    enabled_by: null,
    ...facts,
  };
}

export async function enableScorer(
  { metricSettingsStore }: RecordStores,
  { project_id, run_id }: RunKey,
): Promise<MetricSettings> {
  const changed = await metricSettingsStore.replace(project_id, run_id, (_before, now) => ({
    scorers: [entry({ enabled_at: now })],
    segment_filters: [],
  }));
  return changed!;
}

export function trace({ project_id, run_id }: RunKey, facts: Partial<LogRecord> = {}): LogRecord {
  const id = facts.id ?? randomUUID();
  return {
    ...BLANK_RECORD,
    id,
    project_id,
    run_id,
    trace_id: id,
    session_id: id,
    type: 'trace',
    created_at: CREATED,
    updated_at: CREATED,
    ...facts,
  };
}

/** A span right under `parent`, of its trace. */
export function span(parent: LogRecord, facts: Partial<LogRecord> = {}): LogRecord {
  const { trace_id, session_id, is_complete } = parent;
  return trace(parent, { id: randomUUID(), trace_id, parent_id: parent.id, session_id, is_complete, type: 'tool', ...facts });
}

/** Writes records of one run as one batch, planned against the run as it is. */
export async function write(
  { traceStore, runDirectory }: RecordStores,
  records: readonly LogRecord[],
  more: Partial<RecordBatch> = {},
) {
  const { project_id, run_id } = records[0]!;
  const run = await runDirectory.findRun(project_id, run_id, true);
  const settings_revision = run?.settings_revision ?? 0;
  return traceStore.write({ project_id, run_id, settings_revision, records, new_parents: [], score_trace_ids: [], ...more });
}

/** Returns a written record as a store reads it. */
export const stored = (record: LogRecord): LogRecord => ({ ...record, updated_at: expectAnyText() });
const expectAnyText = (): string => expect.any(String) as unknown as string;
