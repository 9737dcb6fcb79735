import { z } from 'zod';
import type { AuditEvent } from '../access/audit/audit.ts';
import { UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';
import { withDefault } from '../kernel/optional.ts';
import { Id, Name } from '../kernel/text.ts';
import { LogStreamSearch } from '../projects/log-stream.ts';
import { RunSettings } from '../prompts/run-settings.ts';
import { NewScorerEntry } from '../scorers/settings/metric-settings.ts';
import { RunTag } from './run-tag.ts';

/** 16 is an experiment; 17 is taken as well, and kept. */
export const EXPERIMENT_TASK = 16;
const TaskType = withDefault(z.union([z.literal(16), z.literal(17)]), EXPERIMENT_TASK);

const DatasetOfExperiment = z.object({ dataset_id: z.string(), version_index: z.int(), name: z.string() });
const PromptOfExperiment = z.object({
  prompt_template_id: z.string(),
  version_index: z.int(),
  name: z.string(),
  content: z.string(),
});

export const Experiment = z
  .object({
    id: z.string(),
    project_id: z.string(),
    task_type: z.int(),
    name: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    created_by: z.string().nullable(),
    created_by_user: UserSummary.nullable(),
    /** Null unless counts were asked for. */
    num_spans: z.int().nullable(),
    num_traces: z.int().nullable(),
    dataset: DatasetOfExperiment.nullable(),
    /** By name of the metric, averages; see docs/experiments.md. */
    aggregate_metrics: z.record(z.string(), z.number()),
    aggregate_feedback: z.looseObject({}),
    rating_aggregates: z.looseObject({}),
    ranking_score: z.number().nullable(),
    rank: z.int().nullable(),
    winner: z.boolean().nullable(),
    playground_id: z.string().nullable(),
    playground: z.null(),
    prompt_run_settings: z.looseObject({}).nullable(),
    prompt_model: z.string().nullable(),
    prompt: PromptOfExperiment.nullable(),
    /** By key. */
    tags: z.record(z.string(), z.array(RunTag)),
    status: z.object({ log_generation: z.object({ progress_percent: z.number() }) }),
  })
  .meta({ id: 'Experiment' });
export type Experiment = z.output<typeof Experiment>;

export const NewExperiment = z
  .object({
    name: Name,
    task_type: TaskType,
    dataset: z.object({ dataset_id: Id, version_index: z.int().min(0).max(2_147_483_647) }).nullish(),
    prompt_template_version_id: Id.nullish(),
    prompt_settings: RunSettings.nullish(),
    scorers: z.array(NewScorerEntry).max(200).nullish(),
    trigger: withDefault(z.boolean(), false),
    playground_id: Id.nullish(),
    playground_prompt_id: Id.nullish(),
  })
  .meta({ id: 'NewExperiment' });
export type NewExperiment = z.output<typeof NewExperiment>;

export const ExperimentUpdate = z.object({ name: Name, task_type: TaskType }).meta({ id: 'ExperimentUpdate' });
export type ExperimentUpdate = z.output<typeof ExperimentUpdate>;

export const ExperimentSearch = LogStreamSearch.meta({ id: 'ExperimentSearch' });
export type ExperimentSearch = z.output<typeof ExperimentSearch>;

export const experimentNotFound = (id: string): AppError =>
  new AppError('not_found', 'experiment_not_found', `experiment ${id} does not exist`);

/** Noted with the project, so that its owners find it there. */
export const experimentEvent = (verb: string, project_id: string, details: AuditEvent['details']): AuditEvent => ({
  action: `experiment.${verb}`,
  object_kind: 'project',
  object_id: project_id,
  details,
});
