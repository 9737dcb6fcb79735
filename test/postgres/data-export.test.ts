import { dataExportOf } from '../http/data-export/export-walk.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

dataExportOf('on PostgreSQL', startPostgresService);
