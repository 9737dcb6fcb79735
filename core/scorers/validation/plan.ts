import { z } from 'zod';
import type { JobRecord } from '../../jobs/job.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { RecordFilter, RecordSort } from '../../traces/record-query.ts';
import { type Tried, triedTypes } from './requests.ts';
import type { Candidate, Validation } from './validation.ts';

const slice = { starting_token: z.int(), limit: z.int() };

/** Records to run a candidate on, and how. */
const Plan = z.object({
  required_scorers: z.array(z.string()),
  scoreable_node_types: z.array(z.string()),
  output_type: z.string().nullable(),
  on: z.discriminatedUnion('source', [
    z.object({ source: z.literal('samples'), input: z.string().nullable(), output: z.string().nullable() }),
    z.object({
      source: z.literal('records'),
      run_id: z.string(),
      filters: z.array(RecordFilter),
      sort: RecordSort.nullable(),
      ...slice,
    }),
    z.object({ source: z.literal('rows'), dataset_id: z.string(), version_index: z.int(), ...slice }),
  ]),
});
export type Plan = z.output<typeof Plan>;
export type TrialSource<S extends Plan['on']['source']> = Extract<Plan['on'], { source: S }>;

/** Rejects with AppError `invalid` when it names no types of records. */
export const planFor = ({ required_scorers, scoreable_node_types, output_type }: Tried, on: Plan['on']): Plan => ({
  required_scorers: required_scorers ?? [],
  scoreable_node_types: [...triedTypes(scoreable_node_types)],
  output_type: output_type ?? null,
  on,
});

export const computePlan = ({ plan }: Validation): Plan => Plan.parse(plan);

/** As a store keeps it: without fields that are undefined. */
export const asJson = (value: object): JsonObject => z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(value)));

export function toCandidate(validation: Validation): Candidate {
  const { id, kind, definition, created_by } = validation;
  const { required_scorers, scoreable_node_types, output_type } = computePlan(validation);
  return { id, kind, definition, created_by, required_scorers, scoreable_node_types, output_type };
}

const Request = z.looseObject({ validation_id: z.string() });

/** Of a job that tries a candidate. */
export const getValidationId = ({ request_data }: Pick<JobRecord, 'request_data'>): string =>
  Request.parse(request_data).validation_id;

export const validationNotFound = (id: string): AppError =>
  new AppError('not_found', 'validation_not_found', `validation ${id} does not exist`);
