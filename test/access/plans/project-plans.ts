import { makeProject } from '../fixtures/project-fixtures.ts';
import type { Asked, Plan } from '../plan.ts';
import type { ProjectRow } from '../row.ts';
import { roleThatCounts } from '../rules.ts';
import { type Family, sharedObjectPlans } from './shared-object-plans.ts';

const PROJECTS: Family = { kind: 'project', own: 'project_id', make: makeProject, roleThatCounts };

export const projectPlans = (asked: Asked<ProjectRow>): Plan[] => sharedObjectPlans(asked, PROJECTS);
