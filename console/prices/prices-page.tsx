import type { UserView } from '../../core/access/users/user.ts';
import { get } from '../api/client.ts';
import { Crumbs } from '../kit/crumbs.tsx';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { UnpricedForm } from '../projects/unpriced-form.tsx';
import { PriceTable } from './price-table.tsx';
import { SpendingBudgetForm } from './spending-budget-form.tsx';
import { SpendingTable } from './spending-table.tsx';

/** Prices of models for all projects, and what one spent outside of projects. */
export function PricesPage() {
  const user = useLoaded('current_user', (signal) => get<UserView>('/current_user', { signal }));
  return (
    <>
      <Crumbs crumbs={[{ label: 'Integrations', path: '/integrations' }]} title="Model prices" />
      <p class="text-body-secondary">
        For all projects, in US dollars per million tokens. A project may have prices that go before these.
      </p>
      <Show loaded={user}>
        {({ role }) => (
          <>
            <PriceTable path="/model-prices" mayChange={role === 'admin'} />
            <div class="mt-4 narrow-form">
              <SpendingBudgetForm path="/spending-budget" mayChange={role === 'admin'} />
              <UnpricedForm path="/unpriced-models" mayChange={role === 'admin'} />
            </div>
          </>
        )}
      </Show>
      <h2 class="h6 mt-4">My spending outside of projects</h2>
      <SpendingTable path="/model-spending" />
    </>
  );
}
