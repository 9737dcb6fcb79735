import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { type AnnotationQueue, queueNotFound } from '../../annotation/annotation-queue.ts';
import type { AnnotationQueueStore } from '../../annotation/annotation-queue-store.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { OutputType } from '../../plugin-sdk/index.ts';
import { type AnnotationTemplate, templateNotFound } from '../../ratings/annotation-template.ts';
import type { RatingStore } from '../../ratings/rating-store.ts';
import { computeTruth, getDecisive } from '../../ratings/truth.ts';
import type { ScorerVersionRecord } from '../../scorers/scorer.ts';
import type { ScorerStore } from '../../scorers/scorer-store.ts';
import type { Score } from '../../scores/score.ts';
import type { ScoreStore } from '../../scores/score-store.ts';
import { getHealth } from '../health-of.ts';
import type { TruthRow } from '../join-rows.ts';
import { requireScorer } from '../scored-rows.ts';
import type { JuryHealth } from './jury-health.ts';

export interface JuryHealthDeps {
  readonly annotationQueueStore: AnnotationQueueStore;
  readonly ratingStore: RatingStore;
  readonly scoreStore: Pick<ScoreStore, 'list'>;
  readonly scorerStore: Pick<ScorerStore, 'find' | 'findVersion'>;
  readonly authorizer: Authorizer;
  readonly pause: () => Promise<void>;
}

const AT_ONCE = 500;
const MAX_RECORDS = 10_000;

interface Answered {
  readonly truths: readonly TruthRow[];
  /** Successful ones of the scorer, by any version. */
  readonly scores: readonly Score[];
}

/**
 * How well the scorer of a queue, and each juror of it, says what the queue's annotators answered. Nothing is kept: whoever asks gets it
 * by the answers that are there.
 */
export class JuryHealthService {
  readonly #deps: JuryHealthDeps;

  constructor(deps: JuryHealthDeps) {
    this.#deps = deps;
  }

  /** By the answers to a template of the queue, its first one where none is named, as its truth rule reads them. */
  async measure(caller: Caller, project_id: string, queue_id: string, template_id?: string | null): Promise<JuryHealth> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    const queue = await this.#deps.annotationQueueStore.find(project_id, queue_id);
    if (!queue) throw queueNotFound(queue_id);
    const template = await this.#template(queue, template_id ?? queue.template_ids[0]!);
    const scorer_id = getScorer(queue);
    const scorer = await requireScorer(this.#deps.scorerStore, scorer_id);
    const { truths, scores } = await this.#answered(queue, template, scorer_id);
    const version = await this.#newestVersion(scores);
    const facts = { template_id: template.id, scorer_id, records: truths.length };
    if (!version) return { ...facts, scorer_version_id: null, scorer_version_number: null, health: null, jurors: [] };
    const output_type = OutputType.safeParse(version.output_type ?? scorer.output_type).data;
    if (!output_type) throw new AppError('invalid', 'output_type_unknown', `scorer "${scorer.name}" has no output type`);
    const own = scores.filter(({ scorer_version_id }) => scorer_version_id === version.id);
    const measured = (values: Values) => getHealth(output_type, truths, values, this.#deps.pause);
    const jurors: JuryHealth['jurors'] = [];
    for (const { model, weight, values } of votesByJuror(own)) jurors.push({ model, weight, health: await measured(values) });
    const health = await measured(new Map(own.map(({ record_id, value }) => [record_id, [value]])));
    return { ...facts, scorer_version_id: version.id, scorer_version_number: version.version, health, jurors };
  }

  async #template({ project_id, template_ids }: AnnotationQueue, id: string): Promise<AnnotationTemplate> {
    const template = template_ids.includes(id) ? await this.#deps.ratingStore.findTemplate(project_id, id) : undefined;
    if (!template) throw templateNotFound(id);
    return template;
  }

  /** The truth of the records that are done, the newest in the queue, and what the scorer said of them. */
  async #answered(queue: AnnotationQueue, template: AnnotationTemplate, scorer_id: string): Promise<Answered> {
    const { annotationQueueStore, scoreStore } = this.#deps;
    const { project_id, run_id, id, num_done } = queue;
    const truths: TruthRow[] = [];
    const scores: Score[] = [];
    for (let offset = Math.max(0, num_done - MAX_RECORDS); offset < num_done; offset += AT_ONCE) {
      const items = await annotationQueueStore.listItems(project_id, id, 'done', { offset, limit: AT_ONCE });
      const ids = items.map(({ record_id }) => record_id);
      truths.push(...(await this.#truths(queue, template, ids)));
      const found = await scoreStore.list(project_id, run_id, ids);
      scores.push(...found.filter((score) => score.scorer_id === scorer_id && score.status_type === 'success'));
    }
    return { truths, scores };
  }

  async #truths(
    { project_id, run_id }: AnnotationQueue,
    { id, annotation_type, truth_rule }: AnnotationTemplate,
    record_ids: readonly string[],
  ): Promise<TruthRow[]> {
    const { annotations } = await this.#deps.ratingStore.list(project_id, run_id, record_ids);
    const given = Map.groupBy(
      annotations.filter(({ template_id }) => template_id === id),
      ({ record_id }) => record_id,
    );
    return record_ids.map((row_id) => {
      const answers = getDecisive(given.get(row_id) ?? []).map(({ value }) => value);
      return { row_id, truth: computeTruth(annotation_type, truth_rule, answers) ?? null };
    });
  }

  async #newestVersion(scores: readonly Score[]): Promise<ScorerVersionRecord | undefined> {
    const newest = scores.reduce<Score | undefined>(
      (last, one) => (last && last.scored_at > one.scored_at ? last : one),
      undefined,
    );
    return newest && this.#deps.scorerStore.findVersion(newest.scorer_version_id);
  }
}

type Values = ReadonlyMap<string, readonly JsonValue[]>;

function getScorer({ judge_disagreement }: AnnotationQueue): string {
  if (judge_disagreement) return judge_disagreement.scorer_id;
  throw new AppError('invalid', 'queue_without_scorer', 'the queue names no scorer: set its judge_disagreement');
}

/** In the order in which the jurors are first met; each model is in a jury once. */
function votesByJuror(scores: readonly Score[]): { model: string; weight: number; values: Values }[] {
  const votes = scores.flatMap(({ record_id, effort }) =>
    (effort?.votes ?? []).flatMap(({ model, weight = 1, value }) =>
      model === undefined ? [] : [{ record_id, model, weight, value: value as JsonValue }],
    ),
  );
  return [...Map.groupBy(votes, ({ model }) => model)].map(([model, own]) => ({
    model,
    weight: own[0]!.weight,
    values: new Map(own.map(({ record_id, value }) => [record_id, [value]])),
  }));
}
