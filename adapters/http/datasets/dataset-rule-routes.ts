import { z } from 'zod';
import {
  DatasetRule,
  DatasetRuleList,
  DatasetRulePreview,
  DatasetRuleTrial,
  DatasetRuleUpdate,
  NewDatasetRule,
} from '../../../core/datasets/rules/dataset-rule.ts';
import type { DatasetRuleService } from '../../../core/datasets/rules/dataset-rule-service.ts';
import { Id } from '../../../core/kernel/text.ts';
import { type Route, route } from '../route.ts';
import { ProjectPath } from '../traces/trace-routes.ts';

const RULES = '/v2/projects/{project_id}/dataset-rules';
const tag = 'datasets';
const RulePath = z.object({ project_id: Id, rule_id: Id });
const RuleQuery = z.object({
  log_stream_id: Id.optional(),
  experiment_id: Id.optional(),
  metrics_testing_id: Id.optional(),
  dataset_id: Id.optional().describe('Only rules that fill this dataset.'),
});
const Deleted = z.object({ message: z.string() }).meta({ id: 'DatasetRuleDeleted' });

export const datasetRuleRoutes = ({ datasetRuleService: service }: { datasetRuleService: DatasetRuleService }): Route[] => [
  route({
    method: 'post',
    path: RULES,
    operationId: 'createDatasetRule',
    summary: 'Fill a dataset from a run by a rule: each record that matches, once, in versions some minutes apart.',
    tag,
    params: ProjectPath,
    body: NewDatasetRule,
    response: DatasetRule,
    handle: ({ caller, params, body }) => service.create(caller, params.project_id, body),
  }),
  route({
    method: 'post',
    path: `${RULES}/preview`,
    operationId: 'previewDatasetRule',
    summary: 'Say what a rule would have taken of the records of the last seven days.',
    tag,
    params: ProjectPath,
    body: DatasetRuleTrial,
    response: DatasetRulePreview,
    handle: ({ caller, params, body }) => service.preview(caller, params.project_id, body),
  }),
  route({
    method: 'get',
    path: RULES,
    operationId: 'listDatasetRules',
    summary: 'Rules of a project, of one of its runs or for one dataset, with how far they are.',
    tag,
    params: ProjectPath,
    query: RuleQuery,
    response: DatasetRuleList,
    handle: ({ caller, params, query }) => service.list(caller, params.project_id, query),
  }),
  route({
    method: 'get',
    path: `${RULES}/{rule_id}`,
    operationId: 'getDatasetRule',
    summary: 'A rule, with what it added and when it last looked.',
    tag,
    params: RulePath,
    response: DatasetRule,
    handle: ({ caller, params }) => service.get(caller, params.project_id, params.rule_id),
  }),
  route({
    method: 'patch',
    path: `${RULES}/{rule_id}`,
    operationId: 'updateDatasetRule',
    summary: 'Change a rule, pause it or have it go on.',
    tag,
    params: RulePath,
    body: DatasetRuleUpdate,
    response: DatasetRule,
    handle: ({ caller, params, body }) => service.update(caller, params.project_id, params.rule_id, body),
  }),
  route({
    method: 'delete',
    path: `${RULES}/{rule_id}`,
    operationId: 'deleteDatasetRule',
    summary: 'Delete a rule; the rows that it added stay.',
    tag,
    params: RulePath,
    response: Deleted,
    handle: ({ caller, params }) => service.delete(caller, params.project_id, params.rule_id),
  }),
];
