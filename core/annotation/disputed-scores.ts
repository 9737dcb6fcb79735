import type { Transactions } from '../kernel/ports.ts';
import { compareText } from '../kernel/query/sort.ts';
import type { NewScore } from '../scores/score.ts';
import type { ScoreStore } from '../scores/score-store.ts';
import type { AnnotationQueueStore, DisagreementRule } from './annotation-queue-store.ts';

export interface DisputedScoresDeps {
  readonly annotationQueueStore: Pick<AnnotationQueueStore, 'listDisagreementRules' | 'addItems'>;
  readonly transactions: Transactions;
}

/** How far the judges of a score disagree, 0 to 1; undefined where no judges decided. */
const getDisagreement = ({ effort }: Pick<NewScore, 'effort'>): number | undefined =>
  effort?.agreement === undefined ? undefined : 1 - effort.agreement;

/**
 * A store of scores that also puts records into the annotation queues whose rule the disagreement of judges meets. With the score or
 * not at all: a job that is repeated finds its scores stored, and would not look at them again.
 */
export function disputedScores(store: ScoreStore, { annotationQueueStore, transactions }: DisputedScoresDeps): ScoreStore {
  const insert = async (scores: readonly NewScore[]): Promise<number> => {
    const disputed = scores.filter((score) => (getDisagreement(score) ?? 0) > 0);
    const wanted = await recordsByQueue(annotationQueueStore, disputed);
    if (wanted.length === 0) return store.insert(scores);
    return transactions.run(async () => {
      const stored = await store.insert(scores);
      if (stored > 0)
        for (const { project_id, queue_id, record_ids } of wanted)
          await annotationQueueStore.addItems(project_id, queue_id, record_ids);
      return stored;
    });
  };
  return { insert, list: (...place) => store.list(...place) };
}

interface Wanted {
  readonly project_id: string;
  readonly queue_id: string;
  readonly record_ids: readonly string[];
}

/** In the order of the queues, which are locked one after the other: two jobs cannot lock each other out. */
async function recordsByQueue(store: DisputedScoresDeps['annotationQueueStore'], scores: readonly NewScore[]): Promise<Wanted[]> {
  const byRun = [...Map.groupBy(scores, ({ project_id, run_id }) => `${project_id} ${run_id}`).values()];
  const found = byRun.map(async (own): Promise<Wanted[]> => {
    const { project_id, run_id } = own[0]!;
    const rules = await store.listDisagreementRules(project_id, run_id);
    return rules.map(({ queue_id, ...rule }) => {
      const met = own.filter((score) => isMet(rule, score));
      return { project_id, queue_id, record_ids: met.map(({ record_id }) => record_id) };
    });
  });
  const all = (await Promise.all(found)).flat().filter(({ record_ids }) => record_ids.length > 0);
  return all.sort((a, b) => compareText(a.queue_id, b.queue_id));
}

const isMet = ({ scorer_id, above }: Omit<DisagreementRule, 'queue_id'>, score: NewScore): boolean =>
  score.scorer_id === scorer_id && (getDisagreement(score) ?? 0) > above;
