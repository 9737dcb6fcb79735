import { z } from 'zod';
import type { JobRecord, JobStatus } from '../../jobs/job.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { toCandidate } from './plan.ts';
import type { Evidence, Validation } from './validation.ts';

/**
 * How work behind a request is going, and its outcome: an object when it is completed, an error message when it failed.
 * Clients that poll stop at any status but `pending`, so it stays until the end.
 */
export const TaskResult = z
  .object({
    id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    status: z.enum(['pending', 'completed', 'failed']),
    result: z.union([z.looseObject({}), z.string()]).nullable(),
    error_code: z.string().nullable().describe('Code of the error by which it failed, where it has one.'),
  })
  .meta({ id: 'TaskResult' });
export type TaskResult = z.output<typeof TaskResult>;

const STATUS: Readonly<Record<JobStatus, TaskResult['status']>> = {
  pending: 'pending',
  processing: 'pending',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
};

export function toTaskResult({ id, created_at, updated_at, status, result, error_message, error_code }: JobRecord): TaskResult {
  const done = status === 'completed' ? z.looseObject({}).parse(result ?? {}) : null;
  return { id, created_at, updated_at, status: STATUS[status], result: done ?? error_message, error_code };
}

/** Builds the result of a trial on samples, as the interface has it, with the id by which a version refers to it. */
export function toVerdict(validation: Validation, { verdict, outputs, errors }: Evidence): JsonObject {
  const validation_id = validation.id;
  if (verdict === 'invalid') return { result_type: verdict, error_message: errors[0] ?? '', validation_id };
  const { scoreable_node_types } = toCandidate(validation);
  return {
    result_type: verdict,
    score_type: getScoreType(outputs.map(({ score }) => score)),
    scoreable_node_types,
    include_llm_credentials: false,
    chain_aggregation: null,
    test_scores: outputs.map(({ node_type, score, printed }) => ({
      node_type,
      score: shown(score),
      ...(printed && { printed }),
    })),
    validation_id,
  };
}

/** The type of all values: `bool`, `int`, `float`, `str` or `list`; a text stands for those that have none in common. */
export function getScoreType(values: readonly JsonValue[]): string {
  const types = new Set(values.filter((value) => value !== null).map(getType));
  const [first = 'str', ...others] = types;
  if (others.length === 0) return first;
  return [...types].every((type) => type === 'int' || type === 'float') ? 'float' : 'str';
}

function getType(value: JsonValue): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  return typeof value === 'string' ? 'str' : 'list';
}

const shown = (score: JsonValue): JsonValue => (typeof score === 'object' && score !== null ? JSON.stringify(score) : score);
