import { useState } from 'preact/hooks';
import type { Integration } from '../../core/integrations/integration.ts';
import { get } from '../api/client.ts';
import { Empty, Failure } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useAction } from '../kit/use-action.ts';

interface Offered {
  readonly models: readonly string[];
  readonly scorer_models: readonly string[];
}

/** The models that the provider offers by this integration; asked for when somebody wants to see them. */
export function Models({ integration }: { integration: Integration }) {
  const [offered, setOffered] = useState<Offered>();
  const load = useAction(async () => setOffered(await listModels(integration)));
  return (
    <section aria-label="Models">
      <h2 class="h6 mt-4">Models</h2>
      <Failure error={load.error} />
      {offered ? (
        <ModelTable offered={offered} />
      ) : (
        <button type="button" class="btn btn-sm btn-outline-secondary" disabled={load.busy} onClick={() => void load.run()}>
          {load.busy ? 'Asking …' : 'List its models'}
        </button>
      )}
    </section>
  );
}

const ModelTable = ({ offered: { models, scorer_models } }: { offered: Offered }) =>
  models.length === 0 ? (
    <Empty title="The provider offers no models to this account" />
  ) : (
    <Table class="table table-rows narrow-form">
      <TableHeaders of={['Model', 'For judges']} />
      <tbody>
        {models.map((model) => (
          <tr key={model}>
            <td>{model}</td>
            <td>{scorer_models.includes(model) ? 'yes' : '–'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );

/** Paths take a provider before a name: the one that is in use answers for its provider, others by their own name. */
async function listModels({ name, provider, is_selected }: Integration): Promise<Offered> {
  const path = `/llm_integrations/${encodeURIComponent(is_selected ? provider : name)}`;
  const [models, scorer_models] = await Promise.all([
    get<readonly string[]>(`${path}/models`),
    get<readonly string[]>(`${path}/scorer_models`),
  ]);
  return { models, scorer_models };
}
