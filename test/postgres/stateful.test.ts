import { statefulModel } from '../fuzz/stateful/stateful.property.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

statefulModel('on PostgreSQL', () => startPostgresService(), 10);
