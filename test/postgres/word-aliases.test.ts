import { wordAliasRuns } from '../client/word-alias-runs.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

wordAliasRuns(startPostgresService);
