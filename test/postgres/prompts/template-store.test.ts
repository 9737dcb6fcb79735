import { afterAll, beforeAll } from 'vitest';
import { PostgresTemplateStore } from '../../../adapters/postgres/prompts/postgres-template-store.ts';
import { templateStoreContract } from '../../contracts/prompts/template-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

templateStoreContract('PostgreSQL', async () => {
  await database.empty('templates', 'template_versions', 'template_projects', 'projects');
  const store = new PostgresTemplateStore(database);
  const project = async (id: string, exists: boolean) => {
    const insert = `insert into projects (id, name, type, type_is_default, labels, created_at, updated_at)
      values ($1::uuid, ($1::uuid)::text, 'gen_ai', false, '[]', now(), now())`;
    await database.session.sql(exists ? insert : 'delete from projects where id = $1', [id]);
  };
  return { port: { store, project }, close: async () => {} };
});
