import { TableHeaders } from '../kit/table-headers.tsx';
import '../styles/admin.css';
import { useState } from 'preact/hooks';
import type { Integration } from '../../core/integrations/integration.ts';
import { get } from '../api/client.ts';
import { Crumbs } from '../kit/crumbs.tsx';
import { navigate, toHref } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { SelectButton } from './integration-actions.tsx';
import { IntegrationDialog } from './integration-dialog.tsx';

/** The caller's accounts with model providers, and those that others share with them. */
export function IntegrationsPage() {
  const [creating, setCreating] = useState(false);
  const loaded = useLoaded('integrations', (signal) => get<readonly Integration[]>('/integrations', { signal }));
  return (
    <>
      <Crumbs crumbs={[]} title="Integrations">
        <a class="btn btn-sm btn-outline-secondary" href={toHref('/integrations/prices')}>
          Model prices
        </a>
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New integration
        </button>
      </Crumbs>
      <Show loaded={loaded}>
        {(integrations) =>
          integrations.length === 0 ? (
            <Empty title="No integrations yet">
              <p>
                Judges and prompts ask models on your account with a provider. Add one: its secrets are encrypted and never shown
                again.
              </p>
            </Empty>
          ) : (
            <IntegrationTable integrations={integrations} onChanged={loaded.reload} />
          )
        }
      </Show>
      {creating && <IntegrationDialog onClose={() => setCreating(false)} onSaved={({ id }) => navigate(`/integrations/${id}`)} />}
    </>
  );
}

const IntegrationTable = ({ integrations, onChanged }: { integrations: readonly Integration[]; onChanged: () => void }) => (
  <Table class="table table-hover table-rows table-controls">
    <TableHeaders of={['Name', 'Provider', 'Status', 'Default', 'Updated']} />
    <tbody>
      {integrations.map((integration) => (
        <tr key={integration.id}>
          <td>
            <a href={toHref(`/integrations/${integration.id}`)}>{integration.name}</a>
          </td>
          <td>{integration.provider}</td>
          <td>{integration.is_disabled ? 'disabled' : 'enabled'}</td>
          <td>{integration.is_selected ? 'Yes' : <SelectButton integration={integration} onSelected={onChanged} />}</td>
          <td>
            <Time at={integration.updated_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
