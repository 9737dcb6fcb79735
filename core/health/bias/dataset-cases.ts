import { namedValues } from '../../datasets/cells.ts';
import { cellText } from '../../datasets/content.ts';
import { datasetNotFound } from '../../datasets/dataset.ts';
import type { DatasetContentStore } from '../../datasets/dataset-content-store.ts';
import type { RowValues } from '../../datasets/row.ts';
import { sliceInBlocks } from '../../datasets/stored-rows.ts';
import type { AuditCase } from './audit-texts.ts';

/** Rows of a dataset that are tested, and those that are looked at for them. */
const MAX_ROWS = 48;
const MAX_LOOKED_AT = 500;
/** Of input and output of a row together: each is asked about some ten times. */
const MAX_CHARACTERS = 10_000;

/**
 * The first rows of a version of a dataset that have an output, as texts to be changed: the generated output, else the one that the row
 * expects. There are no two answers to swap in them, and no translation. Rejects with AppError `not_found` for an unknown dataset.
 */
export async function listDatasetCases(
  store: DatasetContentStore,
  dataset_id: string,
  version_index: number,
): Promise<AuditCase[]> {
  const version = await store.findVersion(dataset_id, version_index);
  if (!version) throw datasetNotFound(dataset_id);
  const blocks = await store.listBlocks(dataset_id, version_index);
  const cases: AuditCase[] = [];
  for await (const rows of sliceInBlocks(store, version, blocks, { offset: 0, limit: MAX_LOOKED_AT })) {
    for (const { row } of rows) {
      const one = toCase(row.row_id, namedValues(row.cells, version.columns));
      if (one) cases.push(one);
      if (cases.length === MAX_ROWS) return cases;
    }
  }
  return cases;
}

function toCase(id: string, values: RowValues): AuditCase | undefined {
  const question = cellText(values.input) ?? '';
  const truth = cellText(values.output) ?? '';
  const answer = cellText(values.generated_output) ?? truth;
  if (answer === '' || question.length + answer.length > MAX_CHARACTERS) return undefined;
  return { id, texts: { question, document: '', answer, truth }, is_weak: true };
}
