import { type Asked, type Cell, expectOk, type Plan } from './plan.ts';
import { apiKeyPlans, organizationPlans, plainPlans, userPlans } from './plans/account-plans.ts';
import { datasetPlans } from './plans/dataset-plans.ts';
import { groupPlans } from './plans/group-plans.ts';
import { integrationPlans } from './plans/integration-plans.ts';
import { projectPlans } from './plans/project-plans.ts';
import { scorerPlans } from './plans/scorer-plans.ts';
import { templatePlans } from './plans/template-plans.ts';
import type { Row } from './row.ts';

/** Other ways to prove the same user: that they do is seen in these. */
const ENOUGH_FOR_VARIANTS =
  /^(own|viewer|foreign|non-existent|—|made by .*|oneself|another user|(maintainer|outsider) of a hidden group)$/;
/** Bad credentials are refused before anything is looked at. */
const ENOUGH_FOR_REFUSED =
  /^(own|foreign|non-existent|—|made by .*|oneself|another user|malformed (project|dataset|template|integration|group|scorer|user|api_key)_id|(maintainer|outsider) of a hidden group|foreign, bad body)$/;

/** All that a caller tries with the operation of a row. */
export function planCells(asked: Asked): readonly Plan[] {
  const { row, caller } = asked;
  const plans = ofFamily(asked, row);
  if (row.on === 'open') return plans;
  const enough = !caller.is_known ? ENOUGH_FOR_REFUSED : caller.is_variant ? ENOUGH_FOR_VARIANTS : /./;
  return plans
    .filter(([relation]) => enough.test(relation))
    .map(([relation, make]) => [relation, async () => settled(asked, await make())]);
}

function ofFamily(asked: Asked, row: Row): readonly Plan[] {
  if (row.on === 'project') return projectPlans({ ...asked, row });
  if (row.on === 'dataset') return datasetPlans({ ...asked, row });
  if (row.on === 'integration') return integrationPlans({ ...asked, row });
  if (row.on === 'template') return templatePlans({ ...asked, row });
  if (row.on === 'group') return groupPlans({ ...asked, row });
  if (row.on === 'scorer') return scorerPlans({ ...asked, row });
  if (row.on === 'user') return userPlans({ ...asked, row });
  if (row.on === 'api_key') return apiKeyPlans({ ...asked, row });
  if (row.on === 'organization') return organizationPlans({ ...asked, row });
  return plainPlans({ ...asked, row });
}

/** 401 comes before all; lists leave out what is not visible, instead of saying so. */
function settled({ row, caller }: Asked, cell: Cell): Cell {
  const { unknown: _unknown, ...rest } = cell;
  if (!caller.is_known) return { ...rest, status: 401 };
  if (!row.shows || (cell.status !== 404 && cell.status !== expectOk(row))) return cell;
  return { ...rest, status: expectOk(row), is_shown: cell.status === expectOk(row) };
}
