import { makeDataset } from '../fixtures/dataset-fixtures.ts';
import type { Asked, Plan } from '../plan.ts';
import type { DatasetRow } from '../row.ts';
import { roleOutsideProjects } from '../rules.ts';
import { type Family, sharedObjectPlans } from './shared-object-plans.ts';

const DATASETS: Family = { kind: 'dataset', own: 'dataset_id', make: makeDataset, roleThatCounts: roleOutsideProjects };

export const datasetPlans = (asked: Asked<DatasetRow>): Plan[] => sharedObjectPlans(asked, DATASETS);
