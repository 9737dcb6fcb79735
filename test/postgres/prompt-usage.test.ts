import { promptUsageOf } from '../http/prompts/prompt-usage-walk.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

promptUsageOf('on PostgreSQL', () => startPostgresService());
