import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

/** A scorer that is tried out before it is a version of anything. */
export interface Candidate {
  /** The version that is made of it, if one is, takes over this id, and with it what the candidate has said. */
  readonly id: string;
  /** The plugin that runs it. */
  readonly kind: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly required_scorers: readonly string[];
  readonly scoreable_node_types: readonly string[];
  readonly output_type: string | null;
  readonly created_by: string;
}

/** A candidate's result for one record. */
export type TrialOutput = {
  readonly node_type: string;
  /** Of the record that was scored, where it is kept. */
  readonly record_id: string | null;
  readonly score: JsonValue;
  readonly message: string | null;
  /** The text that a program printed meanwhile. */
  readonly printed?: string;
};

/** Evidence of a trial, kept for good with the version that is made of the candidate. */
export type Evidence = {
  readonly verdict: 'valid' | 'invalid';
  /** SHA-256 of the definition and of everything that it was shown, in hexadecimal digits. */
  readonly definition_hash: string;
  readonly inputs_hash: string;
  readonly records: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly not_applicable: number;
  readonly elapsed_ms: number;
  /** Null while nobody measures it. */
  readonly peak_memory_bytes: number | null;
  /** Of the first records. */
  readonly outputs: readonly TrialOutput[];
  /** Error messages, each once. */
  readonly errors: readonly string[];
  readonly finished_at: string;
};

export const EvidenceView = z
  .object({
    validation_id: z.string(),
    verdict: z.enum(['valid', 'invalid']),
    definition_hash: z.string(),
    inputs_hash: z.string(),
    records: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    not_applicable: z.int(),
    elapsed_ms: z.number(),
    peak_memory_bytes: z.int().nullable(),
    outputs: z.array(
      z.object({
        node_type: z.string(),
        record_id: z.string().nullable(),
        score: z.unknown(),
        message: z.string().nullable(),
        printed: z.string().optional().describe('The text that a program printed meanwhile: its first 2,000 characters.'),
      }),
    ),
    errors: z.array(z.string()),
    finished_at: z.string(),
    /** The run with the scores, while it is kept. */
    project_id: z.string().nullable(),
    metrics_testing_id: z.string().nullable(),
  })
  .meta({ id: 'ValidationEvidence' });

/** A trial as stored. */
export interface Validation extends Omit<Candidate, 'required_scorers' | 'scoreable_node_types' | 'output_type'> {
  readonly definition_hash: string;
  /** Plan of the trial: its records, and the rest of the candidate. */
  readonly plan: JsonObject;
  /** The metrics-testing run with its scores; null for a trial on samples. */
  readonly project_id: string | null;
  readonly run_id: string | null;
  /** Null until the trial is over. */
  readonly evidence: Evidence | null;
  readonly scorer_version_id: string | null;
  readonly created_at: string;
}

export const MAX_OUTPUTS = 100;
export const MAX_ERRORS = 20;
