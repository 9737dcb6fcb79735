import { z } from 'zod';

export const InsightStatus = z.enum(['open', 'dismissed']);
export type InsightStatus = z.output<typeof InsightStatus>;

const InsightRecord = z.object({ record_id: z.string(), trace_id: z.string(), type: z.string(), name: z.string() });

export const Insight = z
  .object({
    id: z.string(),
    run_id: z.string(),
    kind: z.enum(['error_cluster', 'slow_step', 'costly_step', 'score_drop', 'tool_loop']),
    title: z.string(),
    /** Description of the finding. */
    observation: z.string(),
    /** By which figures. */
    details: z.string(),
    suggested_action: z.string(),
    /** 1 comes first. */
    priority: z.int(),
    priority_category: z.enum(['error', 'warning', 'info']),
    /** Records, or for loops traces, that show it in the time last looked at. */
    occurrences: z.int(),
    /** Some of them. */
    records: z.array(InsightRecord),
    status: InsightStatus,
    first_seen_at: z.string(),
    last_seen_at: z.string(),
  })
  .meta({ id: 'Insight', description: 'Something worth a look, found in the records of a run.' });
export type Insight = z.output<typeof Insight>;
export type InsightRecord = z.output<typeof InsightRecord>;

export const InsightUpdate = z.object({ status: InsightStatus }).meta({ id: 'InsightUpdate' });
export type InsightUpdate = z.output<typeof InsightUpdate>;

/** Finding of a scan. The same thing found again has the same key. */
export interface Finding extends Omit<Insight, 'id' | 'run_id' | 'status' | 'first_seen_at' | 'last_seen_at' | 'priority'> {
  readonly key: string;
}

/** Records that are named with a finding. */
export const MAX_EVIDENCE = 10;

export const PRIORITIES = { error: 1, warning: 2, info: 3 } as const satisfies Record<Insight['priority_category'], number>;
