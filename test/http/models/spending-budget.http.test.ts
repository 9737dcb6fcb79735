import { spendingBudgetWalk } from '../../contracts/models/spending-budget.walk.ts';
import { startTestServer } from '../harness.ts';

spendingBudgetWalk('the stores in memory', startTestServer);
