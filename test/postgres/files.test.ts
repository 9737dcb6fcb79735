import { filesOf } from '../http/files/file-walk.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

filesOf('on PostgreSQL', () => startPostgresService({ maxProjectFileBytes: 200_000 }));
