import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject } from '../../../core/plugin-sdk/otel/index.ts';
import type { Imported, Product, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';
import { toExample, toPlainRow } from './example.ts';
import { toFeedback } from './feedback.ts';
import { toCommit } from './prompt.ts';
import { toRun } from './run.ts';

/** LangSmith: bulk exports in Parquet, runs, feedback and examples as the SDK and the API give them, datasets as the app saves them, commits of prompts. */
export const langsmith: Product = {
  id: 'langsmith',
  label: 'LangSmith',
  hasLooseScores: true,
  expand,
  map: (row, context): readonly Imported[] | undefined => {
    if (row.has('run_type')) return toRun(row, context);
    if (row.has('key') && row.has('score', 'value')) return toFeedback(row, context);
    if (row.has('manifest') && row.has('commit_hash')) return toCommit(row, context);
    if (row.has('tag_name') && row.has('commit_hash'))
      return [{ kind: 'label', commit: row.text('commit_hash')!, label: row.text('tag_name')! }];
    if (row.has('inputs')) return toExample(row, context);
    if (row.has('id') && row.has('name') && row.has('data_type', 'example_count')) return toDataset(row, context);
    return context.dataset === undefined ? undefined : toPlainRow(row, context);
  },
};

function toDataset(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] {
  const [key, name] = [row.text('id')!, row.text('name')!];
  for (const field of ['description', 'metadata']) if (row.value(field) !== undefined) leaveOut(`${field} of a dataset`);
  return [{ kind: 'dataset', key, name }];
}

/** Replies of the API hold lists; runs may hold the runs below them. */
function expand(row: JsonObject): readonly JsonObject[] {
  const list = [row.runs, row.commits].find((value) => Array.isArray(value));
  if (list !== undefined && !Object.hasOwn(row, 'run_type')) return objectsIn(list).flatMap(expand);
  const below = objectsIn(row.child_runs);
  const examples = objectsIn(row.examples).filter((example) => Object.hasOwn(example, 'inputs'));
  if (below.length === 0 && examples.length === 0) return [row];
  const { child_runs: _runs, examples: _examples, ...alone } = row;
  return [alone, ...below.flatMap(expand), ...examples.map((example) => ({ dataset_id: row.id ?? null, ...example }))];
}

const objectsIn = (list: JsonValue | undefined): JsonObject[] =>
  Array.isArray(list) ? (list as readonly JsonValue[]).filter(isJsonObject) : [];
