import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { AnnotationTemplate } from '../../../core/ratings/annotation-template.ts';
import type { RatingValue } from '../../../core/ratings/rating.ts';
import type { Annotation, Feedback, RatingStore, Ratings, RecordKey } from '../../../core/ratings/rating-store.ts';
import { TRUTH_RULES } from '../../../core/ratings/truth.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, decodeText, encodeJson, encodeText } from '../database/text-codec.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { NOTED } from '../record-index/noted-records.ts';
import { LOCKED_RECORD } from '../traces/locked-record.ts';
import { AnnotationTemplateTable } from './rating-tables.ts';

const PUT_FEEDBACK = `
with ${LOCKED_RECORD}, changed as (
insert into feedback (project_id, record_id, run_id, name, feedback_type, value, explanation, rated_at)
select $1::uuid, $2::uuid, $3::uuid, $4, $5, $6::jsonb, $7, $8::timestamptz from there
on conflict (project_id, record_id, run_id, name) do update
  set feedback_type = excluded.feedback_type, value = excluded.value, explanation = excluded.explanation, rated_at = excluded.rated_at
returning project_id, run_id, record_id
), ${NOTED}
select record_id from changed`;

const PUT_ANNOTATION = `
with ${LOCKED_RECORD}, changed as (
insert into annotations (project_id, record_id, run_id, template_id, annotator_id, value, explanation, rated_at, is_decision)
select $1::uuid, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::jsonb, $7, $8::timestamptz, $9::boolean from there
where exists (select from annotation_templates t where t.project_id = $1 and t.id = $4)
on conflict (project_id, record_id, run_id, template_id, annotator_id) do update
  set value = excluded.value, explanation = excluded.explanation, rated_at = excluded.rated_at,
    is_decision = excluded.is_decision
returning project_id, run_id, record_id
), ${NOTED}
select record_id from changed`;

const remove = (from: string): string => `
with changed as (
  delete from ${from} returning project_id, run_id, record_id
), ${NOTED}
select record_id from changed`;
const REMOVE_FEEDBACK = remove('feedback where project_id = $1 and record_id = $2 and (run_id = $3) is true and name = $4');
const REMOVE_ANNOTATION = remove(
  'annotations where project_id = $1 and record_id = $2 and (run_id = $3) is true and template_id = $4 and annotator_id = $5',
);
const REMOVE_ANSWERS = remove('annotations where project_id = $1 and template_id = $2');
/** Notes the records that were rated by a template: another rule makes another value of the same answers. */
const NOTE_RATED = `
with changed as (
  select project_id, run_id, record_id from annotations where project_id = $1 and template_id = $2
), ${NOTED}
select from changed limit 1`;

type Stored<T extends { value: RatingValue }> = Omit<T, 'value'> & { readonly value: unknown };
type StoredAnnotation = Stored<Omit<Annotation, 'is_decision'>> & { readonly is_decision: boolean };

export class PostgresRatingStore implements RatingStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async putFeedback({ name, feedback_type, ...feedback }: Feedback): Promise<boolean> {
    const said = [name, feedback_type, ...toRatingColumns(feedback)];
    return (await this.#session.sql(PUT_FEEDBACK, [...getKey(feedback), ...said])).length > 0;
  }

  async removeFeedback(key: RecordKey, name: string): Promise<boolean> {
    return (await this.#session.sql(REMOVE_FEEDBACK, [...getKey(key), name])).length > 0;
  }

  async putAnnotation({ template_id, annotator_id, ...annotation }: Annotation): Promise<boolean> {
    const said = [template_id, annotator_id, ...toRatingColumns(annotation), annotation.is_decision ?? false];
    return (await this.#session.sql(PUT_ANNOTATION, [...getKey(annotation), ...said])).length > 0;
  }

  async removeAnnotation(key: RecordKey, template_id: string, annotator_id: string): Promise<boolean> {
    return (await this.#session.sql(REMOVE_ANNOTATION, [...getKey(key), template_id, annotator_id])).length > 0;
  }

  async list(project_id: string, run_id: string, record_ids: readonly string[]): Promise<Ratings> {
    const of = (table: string, order: string) =>
      `select * from ${table} where project_id = $1 and run_id = $2 and record_id = any($3::uuid[]) order by rated_at, ${order}`;
    const parameters = [project_id, run_id, record_ids];
    const [feedback, annotations] = await Promise.all([
      this.#session.sql<Stored<Feedback>>(of('feedback', 'name'), parameters),
      this.#session.sql<StoredAnnotation>(of('annotations', 'annotator_id'), parameters),
    ]);
    return {
      feedback: feedback.map((row) => decoded<Feedback>(row)),
      annotations: annotations.map(toAnnotation),
    };
  }

  async listByRuns(project_id: string, run_ids: readonly string[]): Promise<Annotation[]> {
    const statement =
      'select * from annotations where project_id = $1 and run_id = any($2::uuid[]) order by rated_at, annotator_id';
    const rows = await this.#session.sql<StoredAnnotation>(statement, [project_id, run_ids]);
    return rows.map(toAnnotation);
  }

  async insertTemplate(template: AnnotationTemplate): Promise<void> {
    await refusingDuplicate(() => this.#session.em.insert(AnnotationTemplateTable, encoded(template)));
  }

  async listTemplates(project_id: string): Promise<AnnotationTemplate[]> {
    const rows = await this.#session.em.find(AnnotationTemplateTable, { project_id }, { ...FRESH, orderBy: { name: 'asc' } });
    return rows.map(toTemplate);
  }

  async findTemplate(project_id: string, id: string): Promise<AnnotationTemplate | undefined> {
    const row = await this.#session.em.findOne(AnnotationTemplateTable, { project_id, id }, FRESH);
    return row ? toTemplate(row) : undefined;
  }

  async updateTemplate(
    project_id: string,
    id: string,
    changes: Partial<Pick<AnnotationTemplate, 'name' | 'instructions' | 'choices' | 'truth_rule' | 'updated_at'>>,
  ): Promise<AnnotationTemplate | undefined> {
    const found = await refusingDuplicate(() =>
      this.#session.em.nativeUpdate(AnnotationTemplateTable, { project_id, id }, encoded(changes)),
    );
    if (found > 0 && changes.truth_rule) await this.#session.sql(NOTE_RATED, [project_id, id]);
    return found > 0 ? this.findTemplate(project_id, id) : undefined;
  }

  removeTemplate(project_id: string, id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(AnnotationTemplateTable, { project_id, id });
      await this.#session.sql(REMOVE_ANSWERS, [project_id, id]);
      return found > 0;
    });
  }
}

const getKey = ({ project_id, record_id, run_id }: RecordKey): string[] => [project_id, record_id, run_id];

const toRatingColumns = ({ value, explanation, rated_at }: Pick<Feedback, 'value' | 'explanation' | 'rated_at'>): unknown[] => [
  JSON.stringify(encodeJson(value)),
  explanation === null ? null : encodeText(explanation),
  rated_at,
];

const decoded = <T extends Feedback | Annotation>(row: Stored<T>): T =>
  ({
    ...row,
    value: decodeJson(row.value),
    explanation: row.explanation === null ? null : decodeText(row.explanation),
    rated_at: toUtc(row.rated_at) ?? row.rated_at,
  }) as T;

const toAnnotation = ({ is_decision, ...row }: StoredAnnotation): Annotation => ({
  ...decoded<Annotation>(row),
  ...(is_decision && { is_decision }),
});

const encoded = <T extends Partial<AnnotationTemplate>>(template: T): T =>
  template.instructions === undefined ? template : { ...template, instructions: encodeText(template.instructions) };

function toTemplate(row: object): AnnotationTemplate {
  const template = plain<AnnotationTemplate>(row);
  const truth_rule = template.truth_rule ?? TRUTH_RULES[template.annotation_type][0];
  return { ...template, truth_rule, instructions: decodeText(template.instructions) };
}

const refusingDuplicate = <T>(write: () => Promise<T>): Promise<T> =>
  refusingDuplicates('annotation_template_exists', 'the project has an annotation template of this name', write);
