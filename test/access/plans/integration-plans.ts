import { makeIntegration } from '../fixtures/integration-fixtures.ts';
import type { Asked, Plan } from '../plan.ts';
import type { IntegrationRow } from '../row.ts';
import { roleOutsideProjects } from '../rules.ts';
import { type Family, sharedObjectPlans } from './shared-object-plans.ts';

const INTEGRATIONS: Family = {
  kind: 'integration',
  own: 'integration_id',
  make: makeIntegration,
  roleThatCounts: roleOutsideProjects,
};

export const integrationPlans = (asked: Asked<IntegrationRow>): Plan[] => sharedObjectPlans(asked, INTEGRATIONS);
