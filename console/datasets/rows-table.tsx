import type { DatasetContent } from '../../core/datasets/content.ts';
import { Table } from '../kit/table.tsx';
import { TableHeaderCells } from '../kit/table-headers.tsx';
import { type Base, emptyDraft, withAddedCell, withCell, withoutAdded, withRemoval } from './draft.ts';
import { getPending, keepDraft } from './drafts.ts';
import { RowOfTable } from './table-row.tsx';

interface RowsTableProps {
  readonly dataset_id: string;
  readonly content: DatasetContent;
  readonly base: Base;
  readonly isEditable: boolean;
}

/** Meanings of columns in the rest of the service. */
const MEANINGS: Readonly<Record<string, string>> = { output: 'Ground truth', generated_output: 'Generated' };

/** Stored rows with what the draft makes of them, and behind the last ones those that it adds. */
export function RowsTable({ dataset_id, content, base, isEditable }: RowsTableProps) {
  const draft = (isEditable ? getPending(dataset_id)?.draft : undefined) ?? emptyDraft(base);
  const { column_names, rows } = content;
  const shared = { columns: column_names, isEditable };
  return (
    <Table class="table table-rows dataset-rows">
      <thead>
        <tr>
          <TableHeaderCells of={[{ end: 'Row' }]} />
          {column_names.map((name) => (
            <th scope="col" key={name}>
              {name}
              {MEANINGS[name] && <span class="badge text-bg-secondary ms-2">{MEANINGS[name]}</span>}
            </th>
          ))}
          <TableHeaderCells of={[]} actions={isEditable} />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ row_id, index, values_dict }) => (
          <RowOfTable
            key={row_id}
            {...shared}
            label={String(index + 1)}
            values={{ ...values_dict, ...draft.cells[row_id] }}
            changed={draft.cells[row_id]}
            state={draft.removed.includes(row_id) ? 'removed' : 'stored'}
            onCell={(column, value) => keepDraft(dataset_id, withCell(draft, row_id, values_dict, column, value))}
            onRemove={(isRemoved) => keepDraft(dataset_id, withRemoval(draft, row_id, isRemoved))}
          />
        ))}
        {draft.added.map(({ row_id, values }, at) => (
          <RowOfTable
            key={row_id}
            {...shared}
            label={`new ${at + 1}`}
            values={values}
            state="added"
            onCell={(column, value) => keepDraft(dataset_id, withAddedCell(draft, row_id, column, value))}
            onRemove={() => keepDraft(dataset_id, withoutAdded(draft, row_id))}
          />
        ))}
      </tbody>
    </Table>
  );
}
