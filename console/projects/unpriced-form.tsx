import type { ProjectUnpricedModels, UnpricedModels } from '../../core/models/prices/own-prices.ts';
import { get, put } from '../api/client.ts';
import { Check } from '../kit/check.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { SettingsForm } from '../settings/settings-form.tsx';

interface UnpricedFormProps {
  /** Where the rule is: a project's, or everybody's. */
  readonly path: string;
  readonly mayChange: boolean;
}

/** Whether models whose price nobody knows may be called. */
export function UnpricedForm({ path, mayChange }: UnpricedFormProps) {
  const loaded = useLoaded(path, (signal) => get<UnpricedModels & Partial<ProjectUnpricedModels>>(path, { signal }));
  return (
    <Show loaded={loaded}>
      {({ forbidden, forbidden_by_organization = false }) => (
        <SettingsForm
          title="Models without a price"
          mayChange={mayChange}
          onSubmit={async (values) => {
            await put(path, { forbidden: values.get('forbidden') === 'on' });
            loaded.reload();
          }}
        >
          <Check label="Forbid calls of models without a price" name="forbidden" checked={forbidden} />
          <p class="form-text">
            {forbidden_by_organization
              ? 'They are forbidden in all projects of the organization.'
              : 'Their cost is unknown, not zero: budgets and spending do not see it.'}
          </p>
        </SettingsForm>
      )}
    </Show>
  );
}
