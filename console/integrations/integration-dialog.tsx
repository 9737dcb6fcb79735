import { useState } from 'preact/hooks';
import type { Integration } from '../../core/integrations/integration.ts';
import { put } from '../api/client.ts';
import { Choice } from '../kit/choice.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { SettingsInputs } from '../settings/settings-inputs.tsx';
import { readSettings } from '../settings/settings-values.ts';
import { listProviders, type Provider } from './providers.ts';

interface IntegrationDialogProps {
  /** The integration to set again, with its settings; absent for a new one. */
  readonly known?: { readonly name: string; readonly provider: string; readonly settings: Readonly<Record<string, unknown>> };
  readonly onClose: () => void;
  readonly onSaved: (integration: Integration) => void;
}

/** Makes an integration, or sets one anew. */
export function IntegrationDialog({ known, onClose, onSaved }: IntegrationDialogProps) {
  const providers = useLoaded('providers', (signal) => listProviders(signal));
  const [chosen, setChosen] = useState(known?.provider);
  const providerIn = (all: readonly Provider[]): Provider | undefined => all.find(({ id }) => id === chosen) ?? all[0];
  return (
    <FormDialog
      title={known ? `Set ${known.name} anew` : 'New integration'}
      verb="Save"
      onClose={onClose}
      onSubmit={async (values) => {
        const provider = providerIn(providers.value ?? []);
        if (provider) onSaved(await save(provider, values));
      }}
    >
      <Show loaded={providers}>
        {(all) => {
          const provider = providerIn(all);
          return (
            <>
              {!known && <ProviderSelect providers={all} chosen={provider?.id} onChoose={setChosen} />}
              {known ? (
                <>
                  <input type="hidden" name="#name" value={known.name} />
                  <p class="text-body-secondary">Secrets are not shown again: enter them once more.</p>
                </>
              ) : (
                <TextField key={provider?.id} label="Name" name="#name" value={provider?.id ?? ''} required />
              )}
              {provider && <SettingsInputs key={provider.id} fields={provider.fields} known={known?.settings ?? {}} />}
            </>
          );
        }}
      </Show>
    </FormDialog>
  );
}

interface ProviderSelectProps {
  readonly providers: readonly Provider[];
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
}

const ProviderSelect = ({ providers, chosen, onChoose }: ProviderSelectProps) => (
  <Choice
    label="Provider"
    choices={providers}
    value={chosen}
    onChoose={onChoose}
    help={providers.find(({ id }) => id === chosen)?.summary}
  />
);

/** The fields of settings have names of their own; `#name` is none of them. */
function save({ id, fields }: Provider, values: FormData): Promise<Integration> {
  const settings = readSettings(fields, (name) => (values.has(name) ? String(values.get(name)) : null));
  return put<Integration>(`/integrations/${id}`, settings, { query: { name: String(values.get('#name')) } });
}
