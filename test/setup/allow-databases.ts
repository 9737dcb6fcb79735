import type { EmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres.ts';
import { SERVICE_ROLE } from '../../adapters/embedded-postgres/service-role.ts';
import { queryAt } from './query-at.ts';

/** Lets the service's role, which may do nothing beyond its own database, make others for tests: they run with its rights. */
export async function allowDatabases({ adminUrl }: EmbeddedPostgres): Promise<void> {
  await queryAt(adminUrl, `alter role ${SERVICE_ROLE} createdb`);
}
