import type { CommentStore } from '../../comments/comment-store.ts';
import type { FileView } from '../../files/file.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { FileUrls } from '../../files/file-urls.ts';
import { fileViews } from '../../files/file-views.ts';
import { mapInSlices } from '../../kernel/slices.ts';
import type { RatingStore } from '../../ratings/rating-store.ts';
import { type RatingView, ratingViews } from '../../ratings/rating-views.ts';
import { NO_METRICS } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import type { ScoresBelow } from '../../scores/roll-up.ts';
import { rollUps } from '../../scores/rolled-up.ts';
import { type MetricInfo, toMetricInfo } from '../../scores/score.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import { recordsWithMetrics } from '../../scores/shown-metrics.ts';
import { type LogRecord, type RecordView, toRecordView } from '../record.ts';

export interface ViewDeps {
  readonly scoreStore: ScoreStore;
  readonly scoresBelow: ScoresBelow;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly ratingStore: RatingStore;
  readonly commentStore: Pick<CommentStore, 'counts'>;
  readonly fileStore: FileStore;
}

/** Records that are shown without a turn for others: with many scorers some 20 ms. */
const SLICE = 200;

export type ScoredView = RecordView &
  RatingView & {
    readonly metric_info: MetricInfo;
    readonly files: Readonly<Record<string, FileView>> | null;
    readonly num_comments: number;
  };

/**
 * Records of one run as the API shows them, with what scorers and people said of each, in the order given. Where these are very
 * many, only the first ones have metrics, see `recordsWithMetrics`. Their files have addresses where `fileUrls` is given.
 */
export async function scoredViews(
  { metricSettingsStore, scoreStore, scoresBelow, ratingStore, commentStore, fileStore }: ViewDeps,
  project_id: string,
  run_id: string,
  records: readonly LogRecord[],
  fileUrls?: FileUrls,
): Promise<ScoredView[]> {
  if (records.length === 0) return [];
  const ids = records.map(({ id }) => id);
  const settings = (await metricSettingsStore.find(project_id, run_id)) ?? NO_METRICS;
  const withMetrics = records.slice(0, recordsWithMetrics(settings));
  const judged = new Set(withMetrics.map(({ id }) => id));
  const [scores, getRatings, comments, getFiles] = await Promise.all([
    scoreStore.list(project_id, run_id, [...judged]),
    ratingViews(ratingStore, project_id, run_id, ids),
    commentStore.counts(project_id, run_id, ids),
    fileViews(fileStore, project_id, records.flatMap(fileIdsOf), fileUrls),
  ]);
  const traces = withMetrics.filter(({ type }) => type === 'trace').map(({ id }) => id);
  const below = await rollUps(scoresBelow, settings, { project_id, run_id, level: 'trace', ids: traces });
  const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
  return mapInSlices(records, SLICE, (record) => ({
    ...toRecordView(record),
    metric_info: judged.has(record.id)
      ? { ...below.get(record.id), ...toMetricInfo(record, settings, byRecord.get(record.id) ?? []) }
      : {},
    ...getRatings(record.id),
    num_comments: comments.get(record.id) ?? 0,
    files: getFiles(fileIdsOf(record)),
  }));
}

const fileIdsOf = ({ attributes }: LogRecord): readonly string[] => (attributes.file_ids ?? []) as readonly string[];
