import type { z } from 'zod';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { ContentEdits } from '../datasets/edit.ts';
import type { RowValues } from '../datasets/row.ts';
import { type AnnotationTemplate, templateNotFound } from '../ratings/annotation-template.ts';
import type { RatingStore } from '../ratings/rating-store.ts';
import { computeTruth, getDecisive } from '../ratings/truth.ts';
import { payloadText } from '../traces/columns/column.ts';
import type { LogRecord } from '../traces/record.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import type { TruthExport, TruthExported } from './annotation-queue.ts';
import type { AnnotationQueueStore } from './annotation-queue-store.ts';
import { requireQueue } from './queue-answers.ts';

/** Changes datasets: one request, one version. */
export interface DatasetEditor {
  edit(caller: Caller, id: string, edits: ContentEdits, expected: undefined): Promise<{ readonly version_index: number }>;
}

export interface TruthExportDeps {
  readonly annotationQueueStore: AnnotationQueueStore;
  readonly ratingStore: RatingStore;
  readonly traceStore: TraceStore;
  readonly datasetEditService: DatasetEditor;
  readonly authorizer: Authorizer;
}

const AT_ONCE = 500;

/** Turns what annotators agreed on into ground truth. */
export class TruthExportService {
  readonly #deps: TruthExportDeps;

  constructor(deps: TruthExportDeps) {
    this.#deps = deps;
  }

  /** Appends to the dataset, in one version, a row for each record that is done and has an answer. */
  async export(
    caller: Caller,
    project_id: string,
    queue_id: string,
    wanted: TruthExport,
  ): Promise<z.output<typeof TruthExported>> {
    const { annotationQueueStore, ratingStore, datasetEditService, authorizer } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'export_data');
    const queue = await requireQueue(annotationQueueStore, project_id, queue_id);
    const template = await ratingStore.findTemplate(project_id, wanted.template_id);
    if (!template) throw templateNotFound(wanted.template_id);
    await authorizer.authorize(caller, 'dataset', wanted.dataset_id, 'update');
    const rows: RowValues[] = [];
    let asked = 0;
    for (let offset = 0; ; offset += AT_ONCE) {
      const items = await annotationQueueStore.listItems(project_id, queue_id, 'done', { offset, limit: AT_ONCE });
      const ids = items.map(({ record_id }) => record_id);
      asked += ids.length;
      rows.push(...(await this.#toRows(queue, template, wanted.column_name, ids)));
      if (ids.length < AT_ONCE) break;
    }
    const { dataset_id } = wanted;
    const records_without_answer = asked - rows.length;
    if (rows.length === 0) return { dataset_id, version_index: null, rows_added: 0, records_without_answer };
    const edits = rows.map((values) => ({ edit_type: 'append_row' as const, values }));
    const { version_index } = await datasetEditService.edit(caller, dataset_id, { edits }, undefined);
    return { dataset_id, version_index, rows_added: rows.length, records_without_answer };
  }

  async #toRows(
    { project_id, run_id }: { readonly project_id: string; readonly run_id: string },
    { id, annotation_type, truth_rule }: AnnotationTemplate,
    column_name: string,
    record_ids: readonly string[],
  ): Promise<RowValues[]> {
    const { annotations } = await this.#deps.ratingStore.list(project_id, run_id, record_ids);
    const given = Map.groupBy(
      annotations.filter(({ template_id }) => template_id === id),
      ({ record_id }) => record_id,
    );
    const rows = record_ids.map(async (record_id): Promise<RowValues[]> => {
      const answers = getDecisive(given.get(record_id) ?? []).map(({ value }) => value);
      const truth = computeTruth(annotation_type, truth_rule, answers);
      const record = truth === undefined ? undefined : await this.#deps.traceStore.find(project_id, record_id, run_id);
      return record
        ? [{ ...toRow(record), [column_name]: typeof truth === 'object' ? JSON.stringify(truth) : String(truth) }]
        : [];
    });
    return (await Promise.all(rows)).flat();
  }
}

const toRow = ({ id, input, output, user_metadata }: LogRecord): RowValues => ({
  input: payloadText(input),
  output: payloadText(output),
  metadata: JSON.stringify({ ...user_metadata, record_id: id }),
});
