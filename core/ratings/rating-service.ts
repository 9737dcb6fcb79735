import { z } from 'zod';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Clock } from '../kernel/ports.ts';
import { Id, Name } from '../kernel/text.ts';
import { knownRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import { runIdFields } from '../projects/run-ids.ts';
import { templateNotFound } from './annotation-template.ts';
import { DEFAULT_RULE, Explanation, RatingType, RatingValue, recordNotFound, refuseInvalid } from './rating.ts';
import type { RatingStore, RecordKey } from './rating-store.ts';

const record = { ...runIdFields, record_id: Id };

/** Null as value takes the feedback back. */
export const NewFeedback = z
  .object({
    ...record,
    name: Name.default('feedback'),
    feedback_type: RatingType,
    value: RatingValue.nullable(),
    explanation: Explanation.nullish(),
  })
  .meta({ id: 'NewFeedback' });
export type NewFeedback = z.output<typeof NewFeedback>;

/** Null as value takes the answer back. */
export const NewAnnotation = z
  .object({ ...record, template_id: Id, value: RatingValue.nullable(), explanation: Explanation.nullish() })
  .meta({ id: 'NewAnnotation' });
export type NewAnnotation = z.output<typeof NewAnnotation>;

export const RatingDone = z.object({ message: z.string() }).meta({ id: 'RatingDone' });

export interface RatingDeps {
  readonly ratingStore: RatingStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
}

/** Use cases of people's ratings of traces and spans. */
export class RatingService {
  readonly #deps: RatingDeps;

  constructor(deps: RatingDeps) {
    this.#deps = deps;
  }

  /** Feedback of an application's users, as the application sends it: whoever may log records may send it. */
  async giveFeedback(caller: Caller, project_id: string, body: NewFeedback): Promise<z.output<typeof RatingDone>> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'log_data');
    const key = await this.#key(project_id, body);
    const { name, feedback_type, value, explanation = null } = body;
    if (value === null) {
      await this.#deps.ratingStore.removeFeedback(key, name);
      return { message: 'the feedback is taken back' };
    }
    refuseInvalid({ type: feedback_type, ...DEFAULT_RULE }, value);
    const rated_at = this.#deps.clock().toISOString();
    const isKept = await this.#deps.ratingStore.putFeedback({ ...key, name, feedback_type, value, explanation, rated_at });
    if (!isKept) throw recordNotFound(key.record_id);
    return { message: 'the feedback is kept' };
  }

  /** The caller's own answer to a template. */
  async annotate(caller: Caller, project_id: string, body: NewAnnotation): Promise<z.output<typeof RatingDone>> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    const key = await this.#key(project_id, body);
    const { template_id, value, explanation = null } = body;
    const template = await this.#deps.ratingStore.findTemplate(project_id, template_id);
    if (!template) throw templateNotFound(template_id);
    if (value === null) {
      await this.#deps.ratingStore.removeAnnotation(key, template_id, caller.user_id);
      return { message: 'the annotation is taken back' };
    }
    refuseInvalid({ ...template, type: template.annotation_type }, value);
    const rated_at = this.#deps.clock().toISOString();
    const answer = { ...key, template_id, annotator_id: caller.user_id, value, explanation, rated_at };
    if (!(await this.#deps.ratingStore.putAnnotation(answer))) throw recordNotFound(key.record_id);
    return { message: 'the annotation is kept' };
  }

  async #key(
    project_id: string,
    { record_id, ...ids }: Pick<NewFeedback, 'record_id' | keyof typeof runIdFields>,
  ): Promise<RecordKey> {
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, ids);
    return { project_id, run_id, record_id };
  }
}
