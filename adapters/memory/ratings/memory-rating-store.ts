import { AppError } from '../../../core/kernel/errors.ts';
import type { JsonValue } from '../../../core/kernel/json.ts';
import type { AnnotationTemplate } from '../../../core/ratings/annotation-template.ts';
import type { RatingType } from '../../../core/ratings/rating.ts';
import type { RatingColumn } from '../../../core/ratings/rating-column.ts';
import type { Annotation, Feedback, RatingStore, Ratings, RecordKey } from '../../../core/ratings/rating-store.ts';
import { computeTruth, getDecisive } from '../../../core/ratings/truth.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export interface MemoryRatingDeps {
  recordExists(project_id: string, run_id: string, record_id: string): boolean | Promise<boolean>;
  /** Told of records whose ratings changed. */
  noteChange(project_id: string, run_id: string, record_ids: readonly string[]): void;
}

/** A rating of a record, by its column. */
export interface RatedRecord {
  readonly record_id: string;
  readonly column: RatingColumn;
  readonly type: RatingType;
}

const at = ({ project_id, run_id, record_id }: RecordKey): string => `${project_id} ${run_id} ${record_id}`;

const byTime =
  <T extends { readonly rated_at: string }>(tie: (one: T) => string) =>
  (a: T, b: T): number =>
    a.rated_at + tie(a) < b.rated_at + tie(b) ? -1 : 1;

export class MemoryRatingStore implements RatingStore {
  readonly #deps: MemoryRatingDeps;
  readonly #feedback: Table<string, Feedback>;
  readonly #annotations: Table<string, Annotation>;
  readonly #templates: Table<string, AnnotationTemplate>;

  constructor(deps: MemoryRatingDeps & { readonly database: MemoryDatabase }) {
    this.#deps = deps;
    this.#feedback = deps.database.table();
    this.#annotations = deps.database.table();
    this.#templates = deps.database.table();
  }

  async putFeedback(feedback: Feedback): Promise<boolean> {
    if (!(await this.#exists(feedback))) return false;
    this.#feedback.set(`${at(feedback)} ${feedback.name}`, structuredClone(feedback));
    this.#note(feedback);
    return true;
  }

  async removeFeedback(key: RecordKey, name: string): Promise<boolean> {
    this.#note(key);
    return this.#feedback.delete(`${at(key)} ${name}`);
  }

  async putAnnotation(annotation: Annotation): Promise<boolean> {
    const { project_id, template_id, annotator_id } = annotation;
    if (!(await this.#exists(annotation)) || !(await this.findTemplate(project_id, template_id))) return false;
    this.#annotations.set(`${at(annotation)} ${template_id} ${annotator_id}`, structuredClone(annotation));
    this.#note(annotation);
    return true;
  }

  async removeAnnotation(key: RecordKey, template_id: string, annotator_id: string): Promise<boolean> {
    this.#note(key);
    return this.#annotations.delete(`${at(key)} ${template_id} ${annotator_id}`);
  }

  async list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Ratings> {
    const isAsked = (key: RecordKey): boolean =>
      key.project_id === project_id && key.run_id === run_id && record_ids.includes(key.record_id);
    return {
      feedback: await this.#there(this.#feedback, isAsked, ({ name }) => name),
      annotations: await this.#there(this.#annotations, isAsked, ({ annotator_id }) => annotator_id),
    };
  }

  async listByRuns(project_id: string, run_ids: readonly string[]): Promise<Annotation[]> {
    const isAsked = (key: RecordKey): boolean => key.project_id === project_id && run_ids.includes(key.run_id);
    return this.#there(this.#annotations, isAsked, ({ annotator_id }) => annotator_id);
  }

  /** The value of a column of ratings; null where the record has none. */
  valueIn(key: RecordKey, { place, name }: RatingColumn): JsonValue {
    if (place === 'feedback') return (this.#feedback.get(`${at(key)} ${name}`)?.value ?? null) as JsonValue;
    const template = this.#templates.get(name);
    if (template?.project_id !== key.project_id) return null;
    const given = [...this.#annotations.values()].filter((one) => one.template_id === name && at(one) === at(key));
    const answers = given.sort(byTime(({ annotator_id }) => annotator_id));
    const values = getDecisive(answers).map(({ value }) => value);
    return (computeTruth(template.annotation_type, template.truth_rule, values) ?? null) as JsonValue;
  }

  /** All columns of ratings of some records or sessions of a run. */
  columnsOf(run: Pick<RecordKey, 'project_id' | 'run_id'>): RatedRecord[] {
    const isOfRun = (key: RecordKey): boolean => key.project_id === run.project_id && key.run_id === run.run_id;
    const feedback = [...this.#feedback.values()].filter(isOfRun).map(({ record_id, name, feedback_type }) => {
      return { record_id, column: { place: 'feedback', name }, type: feedback_type } as const;
    });
    const annotations = [...this.#annotations.values()].filter(isOfRun).map(({ record_id, template_id }) => {
      const type = this.#templates.get(template_id)!.annotation_type;
      return { record_id, column: { place: 'annotations', name: template_id }, type } as const;
    });
    return [...feedback, ...annotations];
  }

  /** All ratings of a project; the objects are the store's own and MUST NOT be changed. */
  toRatings(project_id: string): Ratings {
    const isOfProject = (key: RecordKey): boolean => key.project_id === project_id;
    return {
      feedback: [...this.#feedback.values()].filter(isOfProject),
      annotations: [...this.#annotations.values()].filter(isOfProject),
    };
  }

  /** Of some records, of a run, or of a whole project. */
  removeAll(project_id: string, run_id?: string, ids?: readonly string[]): void {
    const isGone = (key: RecordKey): boolean =>
      key.project_id === project_id && (run_id ?? key.run_id) === key.run_id && (ids?.includes(key.record_id) ?? true);
    for (const table of [this.#feedback, this.#annotations] as Table<string, RecordKey>[])
      for (const [key, one] of table) if (isGone(one)) table.delete(key);
  }

  async insertTemplate(template: AnnotationTemplate): Promise<void> {
    this.#refuseTaken(template);
    this.#templates.set(template.id, structuredClone(template));
  }

  async listTemplates(project_id: string): Promise<AnnotationTemplate[]> {
    const found = [...this.#templates.values()].filter((template) => template.project_id === project_id);
    return structuredClone(found.sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  async findTemplate(project_id: string, id: string): Promise<AnnotationTemplate | undefined> {
    const template = this.#templates.get(id);
    return template?.project_id === project_id ? structuredClone(template) : undefined;
  }

  async updateTemplate(
    project_id: string,
    id: string,
    changes: Partial<AnnotationTemplate>,
  ): Promise<AnnotationTemplate | undefined> {
    const template = await this.findTemplate(project_id, id);
    if (!template) return undefined;
    const changed = { ...template, ...changes };
    this.#refuseTaken(changed);
    this.#templates.set(id, structuredClone(changed));
    return changed;
  }

  async removeTemplate(project_id: string, id: string): Promise<boolean> {
    if (!(await this.findTemplate(project_id, id))) return false;
    for (const [key, { template_id }] of this.#annotations) if (template_id === id) this.#annotations.delete(key);
    return this.#templates.delete(id);
  }

  #note({ project_id, run_id, record_id }: RecordKey): void {
    this.#deps.noteChange(project_id, run_id, [record_id]);
  }

  /** Ratings whose record is gone go when somebody looks. */
  async #there<T extends RecordKey & { rated_at: string }>(
    kept: Table<string, T>,
    isAsked: (key: RecordKey) => boolean,
    tie: (one: T) => string,
  ): Promise<T[]> {
    const there: T[] = [];
    for (const [key, one] of kept) {
      if (!isAsked(one)) continue;
      if (await this.#exists(one)) there.push(structuredClone(one));
      else kept.delete(key);
    }
    return there.sort(byTime(tie));
  }

  async #exists({ project_id, run_id, record_id }: RecordKey): Promise<boolean> {
    return this.#deps.recordExists(project_id, run_id, record_id);
  }

  #refuseTaken({ project_id, name, id }: AnnotationTemplate): void {
    const taken = [...this.#templates.values()].some(
      (one) => one.project_id === project_id && one.name === name && one.id !== id,
    );
    if (taken)
      throw new AppError('conflict', 'annotation_template_exists', 'the project has an annotation template of this name');
  }
}
