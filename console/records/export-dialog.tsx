import { useState } from 'preact/hooks';
import { Check } from '../kit/check.tsx';
import { Choice, worded } from '../kit/choice.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { numberText } from '../kit/formatting.ts';
import { type Descriptors, defaultColumns } from './column.ts';
import { exportTo } from './export.ts';
import { hidesImplicit } from './implicit-sessions.ts';
import { levelWord, type Place } from './level.ts';
import { findCost } from './run-anyway.tsx';
import { OWN_COLUMNS, toSearchSelection } from './search.ts';
import type { ShownRecord } from './shown-record.ts';
import { isSelective, type RecordsView } from './view.ts';

interface ExportDialogProps {
  readonly place: Place;
  readonly view: RecordsView;
  readonly descriptors: Descriptors;
  readonly records: readonly ShownRecord[];
  readonly onClose: () => void;
}

const FORMATS = worded({ jsonl: 'JSONL', csv: 'CSV' });
const COLUMNS = worded({ all: 'Everything that is known of a record', shown: 'The columns of the table' });

/** Writes out all records that the view's filters let through, not only the page. */
export function ExportDialog({ place, view, descriptors, records, onClose }: ExportDialogProps) {
  const [bytes, setBytes] = useState(0);
  const [isExpensive, setExpensive] = useState(false);
  const columns = view.columns ?? defaultColumns(view.level, descriptors, records);
  const submit = async (values: FormData): Promise<void> => {
    const export_format = values.get('format') === 'csv' ? 'csv' : 'jsonl';
    const body = {
      ...toSearchSelection(place, view),
      sort: view.sort,
      root_type: view.level,
      export_format,
      redact: values.has('redact'),
      ...(values.has('allow_expensive') && { allow_expensive: true }),
      column_ids: values.get('columns') === 'shown' ? ['id', ...columns.filter((id) => id !== 'id' && isExported(id))] : null,
    } as const;
    await exportTo(place.project_id, body, `${view.level}s.${export_format}`, setBytes).catch((error: unknown) => {
      setExpensive(findCost(error) !== undefined);
      throw error;
    });
  };
  return (
    <FormDialog title={`Export ${levelWord(view.level, 2)}`} verb="Export" onClose={onClose} onSubmit={submit}>
      <p>
        {isSelective(view)
          ? 'All that the filters let through, on every page.'
          : hidesImplicit(view)
            ? 'All sessions of this log stream, without single traces.'
            : 'All of this log stream.'}
      </p>
      <Choice label="Format" name="format" choices={FORMATS} />
      <Choice label="Columns" name="columns" choices={COLUMNS} />
      <Check name="redact" checked label="Export redacted values" />
      {isExpensive && <Check name="allow_expensive" label="Run anyway" />}
      {bytes > 0 && <p role="status">{numberText(bytes / 1024)} KiB written</p>}
    </FormDialog>
  );
}

const isExported = (id: string): boolean => !OWN_COLUMNS.has(id) || id === 'num_traces';
