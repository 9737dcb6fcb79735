import type { CommentStore } from '../../comments/comment-store.ts';
import type { RatingStore } from '../../ratings/rating-store.ts';
import { type RatingView, ratingViews } from '../../ratings/rating-views.ts';
import { NO_METRICS } from '../../scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../scores/metric-settings-store.ts';
import type { ScoresBelow } from '../../scores/roll-up.ts';
import { rollUps } from '../../scores/rolled-up.ts';
import { type MetricInfo, toMetricInfo } from '../../scores/score.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import { type Session, type SessionView, toSessionView } from './session.ts';

export interface SessionViewDeps {
  readonly sessionScoreStore: ScoreStore;
  readonly scoresBelow: ScoresBelow;
  readonly metricSettingsStore: MetricSettingsStore;
  readonly ratingStore: RatingStore;
  readonly commentStore: Pick<CommentStore, 'counts'>;
}

export type ScoredSession = SessionView & RatingView & { readonly metric_info: MetricInfo; readonly num_comments: number };

/** Sessions of one run as the API shows them, with what scorers said of each and of what stands below it. */
export async function scoredSessions(
  { metricSettingsStore, sessionScoreStore, scoresBelow, ratingStore, commentStore }: SessionViewDeps,
  { project_id, run_id }: Pick<Session, 'project_id' | 'run_id'>,
  sessions: readonly Session[],
  include_counts: boolean,
): Promise<ScoredSession[]> {
  if (sessions.length === 0) return [];
  const ids = sessions.map(({ id }) => id);
  const settings = (await metricSettingsStore.find(project_id, run_id)) ?? NO_METRICS;
  const [scores, below, getRatings, comments] = await Promise.all([
    sessionScoreStore.list(project_id, run_id, ids),
    rollUps(scoresBelow, settings, { project_id, run_id, level: 'session', ids }),
    ratingViews(ratingStore, project_id, run_id, ids),
    commentStore.counts(project_id, run_id, ids),
  ]);
  const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
  return sessions.map((session) => {
    const { id, user_metadata, is_complete, updated_at } = session;
    const record = { id, type: 'session', name: session.name ?? '', user_metadata, is_complete, updated_at };
    const own = toMetricInfo(record, settings, byRecord.get(id) ?? []);
    const metric_info = { ...below.get(id), ...own };
    return { ...toSessionView(session, include_counts), metric_info, ...getRatings(id), num_comments: comments.get(id) ?? 0 };
  });
}
