import { useState } from 'preact/hooks';
import type { Integration, IntegrationStatus } from '../../core/integrations/integration.ts';
import { get, patch, put } from '../api/client.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';

/** Among several integrations of a provider, the one that one's judges ask. */
export function SelectButton({ integration, onSelected }: { integration: Integration; onSelected: () => void }) {
  const select = useAction(async () => {
    await put(`/integrations/${integration.id}/select`);
    onSelected();
  });
  return (
    <>
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        aria-label={`Use ${integration.name}`}
        disabled={select.busy}
        onClick={() => void select.run()}
      >
        Use
      </button>
      <Failure error={select.error} />
    </>
  );
}

export function SwitchButton({ integration, onSwitched }: { integration: Integration; onSwitched: () => void }) {
  const { id, is_disabled } = integration;
  const switching = useAction(async () => {
    await patch(`/integrations/${id}`, { is_disabled: !is_disabled });
    onSwitched();
  });
  return (
    <>
      <Failure error={switching.error} />
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        disabled={switching.busy}
        onClick={() => void switching.run()}
      >
        {is_disabled ? 'Enable' : 'Disable'}
      </button>
    </>
  );
}

/** Has the service make a real call to the provider. */
export function StatusTest({ id }: { id: string }) {
  const [answer, setAnswer] = useState<IntegrationStatus>();
  const test = useAction(async () => {
    setAnswer(undefined);
    setAnswer(await get<IntegrationStatus>(`/integrations/${id}/status`));
  });
  return (
    <p>
      <button type="button" class="btn btn-sm btn-primary me-2" disabled={test.busy} onClick={() => void test.run()}>
        {test.busy ? 'Testing …' : 'Test it'}
      </button>
      <span role="status">
        {answer && (
          <>
            <span class={`badge me-2 ${answer.status === 'active' ? 'text-bg-success' : 'text-bg-danger'}`}>{answer.status}</span>
            {answer.error}
          </>
        )}
      </span>
      <Failure error={test.error} />
    </p>
  );
}
