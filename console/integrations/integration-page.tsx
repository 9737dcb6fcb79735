import '../styles/admin.css';
import { useState } from 'preact/hooks';
import type { UserView } from '../../core/access/users/user.ts';
import type { Integration, IntegrationSettings } from '../../core/integrations/integration.ts';
import { get, remove } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Crumbs } from '../kit/crumbs.tsx';
import { valueText } from '../kit/formatting.ts';
import { navigate } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { allows } from '../sharing/permission.ts';
import { Sharing } from '../sharing/sharing.tsx';
import { StatusTest, SwitchButton } from './integration-actions.tsx';
import { IntegrationDialog } from './integration-dialog.tsx';
import { Models } from './models.tsx';

interface Known {
  readonly integration: Integration;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Setting it anew goes by its name among the caller's own. */
  readonly isOwn: boolean;
}

/** One integration: what it is set to, whether it works, which models it offers and who may use it. */
export function IntegrationPage({ params }: { params: Record<string, string> }) {
  const id = params.integration_id!;
  const [editing, setEditing] = useState(false);
  const loaded = useLoaded(`integration ${id}`, (signal) => load(id, signal));
  return (
    <Show loaded={loaded}>
      {({ integration, settings, isOwn }) => (
        <>
          <Crumbs crumbs={[{ label: 'Integrations', path: '/integrations' }]} title={integration.name}>
            {allows(integration.permissions, 'update') && <SwitchButton integration={integration} onSwitched={loaded.reload} />}
            {isOwn && (
              <button
                type="button"
                class="btn btn-sm btn-outline-secondary"
                aria-haspopup="dialog"
                onClick={() => setEditing(true)}
              >
                Set anew
              </button>
            )}
            {allows(integration.permissions, 'delete') && <DeleteButton integration={integration} />}
          </Crumbs>
          <StatusTest id={id} />
          <h2 class="h6">Settings</h2>
          <SettingsTable settings={{ provider: integration.provider, ...settings }} />
          <Models integration={integration} />
          <h2 class="h6 mt-4">Shared with</h2>
          <Sharing path={`/integrations/${id}`} mayShare={false} />
          {editing && (
            <IntegrationDialog
              known={{ name: integration.name, provider: integration.provider, settings }}
              onClose={() => setEditing(false)}
              onSaved={loaded.reload}
            />
          )}
        </>
      )}
    </Show>
  );
}

const DeleteButton = ({ integration }: { integration: Integration }) => (
  <ConfirmButton
    label="Delete"
    question={`Judges and prompts will no longer reach models by ${integration.name}. Its secrets are deleted with it.`}
    onConfirm={async () => {
      await remove(`/integrations/${integration.id}`);
      navigate('/integrations');
    }}
  />
);

const SettingsTable = ({ settings }: { settings: Readonly<Record<string, unknown>> }) => (
  <Table class="table table-rows narrow-form">
    <tbody>
      {Object.entries(settings).map(([name, value]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td class="text-break">{valueText(value)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);

async function load(id: string, signal: AbortSignal): Promise<Known> {
  const [all, shown, me] = await Promise.all([
    get<readonly Integration[]>('/integrations', { signal }),
    get<IntegrationSettings>(`/integrations/${id}`, { signal }),
    get<UserView>('/current_user', { signal }),
  ]);
  const integration = all.find((one) => one.id === id);
  if (!integration) throw new ApiFailure(404, { code: 'integration_not_found', detail: `integration ${id} does not exist` });
  const { id: _id, name: _name, provider: _provider, extra: _extra, ...settings } = shown;
  return { integration, settings, isOwn: integration.created_by === me.id };
}
