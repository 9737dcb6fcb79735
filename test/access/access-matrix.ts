import type { Row } from './row.ts';
import { OPEN, ORGANIZATION, USERS } from './rows/account-rows.ts';
import { DATASETS } from './rows/dataset-rows.ts';
import { DATASET_RULE_ROWS } from './rows/dataset-rule-rows.ts';
import { EXPERIMENTS } from './rows/experiment-rows.ts';
import { GROUPS } from './rows/group-rows.ts';
import { HEALTH } from './rows/health-rows.ts';
import { INTEGRATIONS } from './rows/integration-rows.ts';
import { JOBS } from './rows/job-rows.ts';
import { COLLABORATORS, LOG_STREAMS, PROJECTS } from './rows/project-rows.ts';
import { RATING_ROWS } from './rows/rating-rows.ts';
import { COLUMNS, MANY_RECORDS, SESSIONS, TRACES } from './rows/record-rows.ts';
import { SCORERS } from './rows/scorer-rows.ts';
import { TEMPLATES } from './rows/template-rows.ts';
import { INSIGHTS, NOTIFICATION_ROUTES, TRENDS } from './rows/trend-rows.ts';

// To add an operation: one row in the file of its capability, with what it is about (`on`) and who may (`needs`, `allowed`).
// Every id it takes in path, query or body comes from `ids`, and beside the object's own has to stand in `mixed`.
// A new kind of object gets its row type in row.ts, its rule in rules.ts, a fixture in *-fixtures.ts, its relations in *-plans.ts.

export const ACCESS_MATRIX: readonly Row[] = [
  ...OPEN,
  ...ORGANIZATION,
  ...USERS,
  ...PROJECTS,
  ...COLLABORATORS,
  ...LOG_STREAMS,
  ...EXPERIMENTS,
  ...TRACES,
  ...COLUMNS,
  ...SESSIONS,
  ...MANY_RECORDS,
  ...TRENDS,
  ...NOTIFICATION_ROUTES,
  ...INSIGHTS,
  ...SCORERS,
  ...HEALTH,
  ...JOBS,
  ...RATING_ROWS,
  ...GROUPS,
  ...DATASETS,
  ...DATASET_RULE_ROWS,
  ...TEMPLATES,
  ...INTEGRATIONS,
];
