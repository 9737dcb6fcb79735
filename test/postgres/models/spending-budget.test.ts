import { spendingBudgetWalk } from '../../contracts/models/spending-budget.walk.ts';
import { startPostgresService } from '../../setup/postgres-service.ts';

spendingBudgetWalk('PostgreSQL', startPostgresService);
