import { z } from 'zod';

/** For how many days traces are kept, counted from when they began. Null: a log stream as its project says, a project for ever. */
export const RetentionUpdate = z.object({ days: z.int().min(1).max(3650).nullable() }).meta({ id: 'RetentionUpdate' });
export type RetentionUpdate = z.output<typeof RetentionUpdate>;

export const Retention = z
  .object({
    project_id: z.string(),
    log_stream_id: z.string().nullable(),
    days: z.int().nullable(),
    /** Effective rule: the own one, else that of the project. */
    effective_days: z.int().nullable(),
  })
  .meta({ id: 'Retention' });
export type Retention = z.output<typeof Retention>;

export const RetentionPreview = z
  .object({ traces: z.int(), spans: z.int(), sessions: z.int() })
  .meta({ id: 'RetentionPreview', description: 'What would be removed now.' });
export type RetentionPreview = z.output<typeof RetentionPreview>;

export interface RetentionRule {
  readonly project_id: string;
  /** Null: for all log streams of the project that have no rule of their own. */
  readonly run_id: string | null;
  readonly days: number;
}

const DAY_MS = 86_400_000;

/** The timestamp before which traces are too old. */
export const computeCutoff = (days: number, now: Date): string => new Date(now.getTime() - days * DAY_MS).toISOString();
