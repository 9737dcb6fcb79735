import { PostgresAuditStore } from '../../../adapters/postgres/access/postgres-audit-store.ts';
import { PostgresGroupStore } from '../../../adapters/postgres/access/postgres-group-store.ts';
import { PostgresLoginStore } from '../../../adapters/postgres/access/postgres-login-store.ts';
import { PostgresJobStore } from '../../../adapters/postgres/jobs/postgres-job-store.ts';
import type { JobMessage } from '../../../core/jobs/job-store.ts';
import { transactionsContract } from '../../contracts/kernel/transactions.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

transactionsContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  const { session } = stores.database;
  const port = {
    transactions: session,
    projectStore: stores.projectStore,
    groupStore: new PostgresGroupStore({ session }),
    loginStore: new PostgresLoginStore({ session }),
    auditStore: new PostgresAuditStore({ session }),
    jobStore: new PostgresJobStore({ session, enqueueWithin: stores.queues.jobs.enqueueWithin }),
    messages: async () => {
      const rows = await session.sql<{ data: JobMessage }>(`select data from pgboss.job where name = 'jobs' order by created_on`);
      return rows.map(({ data }) => data);
    },
  };
  return { port, close: () => stores.close() };
});
