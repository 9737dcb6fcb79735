import { makeTemplate } from '../fixtures/template-fixtures.ts';
import type { Asked, Plan } from '../plan.ts';
import type { TemplateRow } from '../row.ts';
import { roleOutsideProjects } from '../rules.ts';
import { type Family, sharedObjectPlans } from './shared-object-plans.ts';

const TEMPLATES: Family = { kind: 'template', own: 'template_id', make: makeTemplate, roleThatCounts: roleOutsideProjects };

export const templatePlans = (asked: Asked<TemplateRow>): Plan[] => sharedObjectPlans(asked, TEMPLATES);
