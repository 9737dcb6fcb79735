import { RECORD_TYPES } from '../../core/traces/catalogue/span-types.ts';
import { Check } from '../kit/check.tsx';
import { Choice } from '../kit/choice.tsx';
import { Field, TypedField } from '../kit/field.tsx';
import { SeriesFilters } from './series-filters.tsx';
import { AGGREGATIONS, type RecordTypeName, type SeriesDraft } from './widget-draft.ts';

interface SeriesFieldsProps {
  readonly number: number;
  readonly series: SeriesDraft;
  /** The id of the list of metrics to choose from. */
  readonly metrics: string;
  readonly onChange: (changed: SeriesDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

const SAME = { id: '', label: 'As the widget' } as const;
/** Attributes that tell series of OpenTelemetry's metrics apart, beside the model. */
const ATTRIBUTES = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.token.type', 'error.type'];
/** Columns that are often grouped by; any other may be typed. */
const GROUPS = ['type', 'name', 'model', 'status_code', 'finish_reason', 'tags', 'user_metadata/', ...ATTRIBUTES];

/** Fields of one series of a widget. */
export function SeriesFields({ number, series, metrics, onChange, onRemove }: SeriesFieldsProps) {
  const set = (changes: Partial<SeriesDraft>): void => onChange({ ...series, ...changes });
  const toggle = (type: RecordTypeName): void => {
    const chosen = new Set(series.record_types).symmetricDifference(new Set([type]));
    set({ record_types: RECORD_TYPES.filter((one) => chosen.has(one)) });
  };
  return (
    <fieldset class="series-fields">
      <legend class="h6">Series {number}</legend>
      {onRemove && (
        <button type="button" class="btn btn-sm btn-link p-0 mb-2" onClick={onRemove}>
          Remove series {number}
        </button>
      )}
      <div class="fields">
        <TypedField label="Label" maxLength={100} value={series.label} onType={(label) => set({ label })} />
        <TypedField
          label="Own metric"
          list={metrics}
          placeholder={SAME.label}
          value={series.metric}
          onType={(metric) => set({ metric })}
        />
        <Choice
          label="Own aggregation"
          value={series.aggregation}
          choices={[SAME, ...AGGREGATIONS]}
          onChoose={(aggregation) => set({ aggregation })}
        />
        <Field label="Group by" help="A column: one line or bar for each value.">
          {(id) => (
            <>
              <input
                id={id}
                class="form-control"
                list={`${id}-groups`}
                value={series.group_by}
                onInput={({ currentTarget }) => set({ group_by: currentTarget.value })}
              />
              <datalist id={`${id}-groups`}>
                {GROUPS.map((group) => (
                  <option key={group} value={group} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      <fieldset class="d-flex flex-wrap gap-3 mb-2">
        <legend class="form-label mb-1">Records; none chosen: those that usually have the metric</legend>
        {RECORD_TYPES.map((type) => (
          <Check class="mb-0" key={type} label={type} checked={series.record_types.includes(type)} onCheck={() => toggle(type)} />
        ))}
      </fieldset>
      <SeriesFilters number={number} filters={series.filters} onChange={(filters) => set({ filters })} />
    </fieldset>
  );
}
