import type { PageFields } from '../../../core/kernel/query/page.ts';
import type { ScorerVersion } from '../../../core/scorers/versions/scorer-version.ts';
import { get } from '../../api/client.ts';
import { Choice } from '../../kit/choice.tsx';
import { TextField } from '../../kit/field.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Show } from '../../kit/notices.tsx';
import { useLoaded } from '../../kit/use-loaded.ts';
import { ConditionFields } from './condition-fields.tsx';
import { conditionText, readScorerCondition } from './scorer-condition.ts';
import type { ChangeSettings, Entry } from './settings.ts';

interface EntryDialogProps {
  readonly entry: Entry;
  readonly change: ChangeSettings;
  readonly onClose: () => void;
}

type VersionPage = PageFields & { readonly versions: readonly ScorerVersion[] };

/** How one scorer runs here: which version, on which records, for how much. */
export function EntryDialog({ entry, change, onClose }: EntryDialogProps) {
  const { id, name, filters, scorer_version, daily_budget, model_name, num_judges } = entry;
  const versions = useLoaded(`versions of ${id}`, (signal) => get<VersionPage>(`/scorers/${id}/versions`, { signal }));
  const save = async (values: FormData): Promise<void> => {
    const version = String(values.get('version') ?? '');
    const condition = readScorerCondition(values, filters[0]);
    const budget = String(values.get('daily_budget') ?? '').trim();
    const judges = String(values.get('num_judges') ?? '').trim();
    const changed = {
      scorer_version: version === '' ? null : { id: version },
      // The form has room for one condition; further ones are kept.
      filters: [...(condition ? [condition] : []), ...filters.slice(1)],
      daily_budget: budget === '' ? null : Number(budget),
      ...(judges === '' ? {} : { num_judges: Number(judges) }),
    };
    await change((now) => ({ scorers: now.scorers.map((one) => (one.id === id ? { ...one, ...changed } : one)) }));
  };
  return (
    <FormDialog title={`Edit ${name}`} verb="Save" onClose={onClose} onSubmit={save}>
      <Show loaded={versions}>
        {(page) => (
          <Choice
            label="Version"
            name="version"
            choices={[
              { id: '', label: "The scorer's default" },
              ...page.versions.map(({ id: version_id, version }) => ({ id: version_id, label: String(version) })),
            ]}
            value={scorer_version?.id ?? ''}
          />
        )}
      </Show>
      <ConditionFields stored={filters[0]} />
      {filters.slice(1).map((filter) => (
        <p class="small" key={JSON.stringify(filter)}>
          And {conditionText(filter)}
        </p>
      ))}
      {model_name && <TextField label="Number of judges" name="num_judges" type="number" value={String(num_judges ?? '')} />}
      <TextField
        label="US dollars a day at most"
        name="daily_budget"
        value={daily_budget === null ? '' : String(daily_budget)}
        help="For models, by days in UTC. Empty for any amount."
      />
    </FormDialog>
  );
}
