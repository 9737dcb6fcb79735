import { widgetFilterTests } from '../../http/trends/widget-filters.ts';
import { startPostgresService } from '../../setup/postgres-service.ts';

widgetFilterTests('PostgreSQL', startPostgresService);
