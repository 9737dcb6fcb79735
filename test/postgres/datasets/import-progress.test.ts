import { afterAll, beforeAll } from 'vitest';
import { openOrm } from '../../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../../adapters/postgres/database/postgres-session.ts';
import { PostgresImportProgress } from '../../../adapters/postgres/datasets/postgres-import-progress.ts';
import { importProgressContract } from '../../contracts/datasets/import-progress.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
let orm: Awaited<ReturnType<typeof openOrm>>;
beforeAll(async () => {
  database = await openMigratedDatabase();
  orm = await openOrm({ url: database.url, poolSize: 3 });
});
afterAll(async () => {
  await orm.close();
  await database.close();
});

importProgressContract('PostgreSQL', async () => {
  await database.empty('import_jobs');
  const port = new PostgresImportProgress({ session: new PostgresSession({ orm }) });
  return { port, transactions: database.session, close: async () => {} };
});
