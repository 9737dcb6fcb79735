import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { requireRun } from '../projects/known-run.ts';
import type { RunDirectory } from '../projects/run-context.ts';
import { templateNotFound } from './annotation-template.ts';
import { type Agreement, computeAgreement } from './rater-agreement.ts';
import type { RatingStore } from './rating-store.ts';

export interface AgreementDeps {
  readonly ratingStore: Pick<RatingStore, 'findTemplate' | 'listByRuns'>;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
}

/** Says how far several raters agree: a truth that is made of their answers is worth no more. */
export class AgreementService {
  readonly #deps: AgreementDeps;

  constructor(deps: AgreementDeps) {
    this.#deps = deps;
  }

  async compute(caller: Caller, project_id: string, run_id: string, template_id: string): Promise<Agreement> {
    const { authorizer, ratingStore, runDirectory } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const template = await ratingStore.findTemplate(project_id, template_id);
    if (!template) throw templateNotFound(template_id);
    await requireRun(runDirectory, project_id, run_id);
    const all = await ratingStore.listByRuns(project_id, [run_id]);
    const answers = all.filter((answer) => answer.template_id === template_id && !answer.is_decision);
    return computeAgreement(answers, template.annotation_type);
  }
}
