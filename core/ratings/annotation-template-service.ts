import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { AppError } from '../kernel/errors.ts';
import type { Clock, NewId } from '../kernel/ports.ts';
import {
  type AnnotationTemplate,
  type AnnotationTemplateUpdate,
  type NewAnnotationTemplate,
  templateNotFound,
} from './annotation-template.ts';
import type { RatingStore } from './rating-store.ts';
import { TRUTH_RULES, type TruthRule } from './truth.ts';

export interface AnnotationTemplateDeps {
  readonly ratingStore: RatingStore;
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The questions that annotators of a project answer. */
export class AnnotationTemplateService {
  readonly #deps: AnnotationTemplateDeps;

  constructor(deps: AnnotationTemplateDeps) {
    this.#deps = deps;
  }

  async create(caller: Caller, project_id: string, wanted: NewAnnotationTemplate): Promise<AnnotationTemplate> {
    const { authorizer, ratingStore, clock, newId } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'configure_human_feedback');
    const now = clock().toISOString();
    const truth_rule = wanted.truth_rule ?? TRUTH_RULES[wanted.annotation_type][0];
    const template = {
      ...wanted,
      truth_rule,
      id: newId(),
      project_id,
      created_by: caller.user_id,
      created_at: now,
      updated_at: now,
    };
    await ratingStore.insertTemplate(template);
    return template;
  }

  async list(caller: Caller, project_id: string): Promise<AnnotationTemplate[]> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#deps.ratingStore.listTemplates(project_id);
  }

  async update(caller: Caller, project_id: string, id: string, update: AnnotationTemplateUpdate): Promise<AnnotationTemplate> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'configure_human_feedback');
    if (update.truth_rule) await this.#refuseMisfit(project_id, id, update.truth_rule);
    const given = Object.entries(update).filter(([, value]) => value !== null && value !== undefined);
    const changes = { ...Object.fromEntries(given), updated_at: this.#deps.clock().toISOString() };
    const template = await this.#deps.ratingStore.updateTemplate(project_id, id, changes);
    if (!template) throw templateNotFound(id);
    return template;
  }

  /** With all answers to it. */
  async delete(caller: Caller, project_id: string, id: string): Promise<{ message: string }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'configure_human_feedback');
    if (!(await this.#deps.ratingStore.removeTemplate(project_id, id))) throw templateNotFound(id);
    return { message: `annotation template ${id} is deleted` };
  }

  async #refuseMisfit(project_id: string, id: string, rule: TruthRule): Promise<void> {
    const template = await this.#deps.ratingStore.findTemplate(project_id, id);
    if (!template) throw templateNotFound(id);
    if (TRUTH_RULES[template.annotation_type].includes(rule)) return;
    const msg = `the rule ${rule} does not fit answers of type ${template.annotation_type}`;
    const issues = [{ loc: ['body', 'truth_rule'], msg, type: 'truth_rule_mismatch', input: rule }];
    throw new AppError('invalid', 'truth_rule_mismatch', msg, { issues });
  }
}
