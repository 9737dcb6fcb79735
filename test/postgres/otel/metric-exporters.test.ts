import { metricExporters } from '../../contracts/otel/metric-exporters.contract.ts';
import { startPostgresService } from '../../setup/postgres-service.ts';

metricExporters('PostgreSQL', startPostgresService, async ({ session }) => {
  const [row] = await session.sql<{ rows: number }>(
    `select (select count(*) from metric_series) + (select count(*) from metric_series_hours)
       + (select count(*) from metric_streams) as rows`,
  );
  return Number(row!.rows);
});
