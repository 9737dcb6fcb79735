import { z } from 'zod';
import { Id } from '../../kernel/text.ts';
import { OutputType } from '../../plugin-sdk/index.ts';
import { TEXT_PLACES } from './audit-texts.ts';
import { MODEL_FAMILIES } from './fixtures/added-texts.ts';
import { PROBES, Probe, ProbeResult } from './probe.ts';

const FAMILY_NAMES = MODEL_FAMILIES.map(({ name }) => name);
export const ModelFamilyName = z.enum(FAMILY_NAMES).meta({ id: 'ModelFamily' });

/** Request for an audit. */
export const JudgeAuditRequest = z
  .object({
    version: z.int().min(1).max(2_147_483_647).nullish().describe('The latest when absent.'),
    probes: z.array(Probe).min(1).max(PROBES.length).nullish().describe('All when absent.'),
    dataset_id: Id.nullish().describe('Rows of its current version are tested in place of the built-in texts.'),
    model_family: ModelFamilyName.nullish().describe("The judge's own; told from the names of its models when absent."),
    max_cost: z.number().positive().max(1_000_000).nullish().describe('US dollars; the audit ends when they are spent.'),
    dry_run: z.boolean().nullish().describe('Whether only to say what the audit would ask, and what that would cost.'),
  })
  .meta({ id: 'JudgeAuditRequest' });
export type JudgeAuditRequest = z.output<typeof JudgeAuditRequest>;

const AuditedModel = z
  .object({
    model_alias: z.string(),
    provider: z.string().nullable(),
    model: z.string().nullable().describe('By the name of the provider; null where no integration of the caller offers it.'),
    calls: z.int(),
    estimated_cost: z.number().nullable(),
  })
  .meta({ id: 'AuditedModel' });

export const JudgeAuditPlan = z
  .object({
    probes: z.array(Probe),
    dataset: z
      .object({ id: z.string(), version_index: z.int() })
      .nullable()
      .describe('Whose rows are tested; null for the built-in texts.'),
    texts: z.int(),
    output_type: OutputType,
    place: z.enum(TEXT_PLACES).describe('The part of a record that is changed: the first that the judge is shown.'),
    model_family: ModelFamilyName.nullable(),
    questions: z.int().describe('Texts that the judge is asked about.'),
    calls: z.int().describe('Of models, when each answer can be used; one that cannot be used is asked for again.'),
    models: z.array(AuditedModel),
    estimated_cost: z.number().nullable().describe('US dollars.'),
    unknown_because: z.string().nullable(),
    max_cost: z.number().nullable(),
  })
  .meta({ id: 'JudgeAuditPlan' });
export type JudgeAuditPlan = z.output<typeof JudgeAuditPlan>;

export const JudgeAuditReport = z
  .object({
    found: z.array(Probe).describe('The probes whose verdict is `biased`.'),
    probes: z.array(ProbeResult),
    questions: z.int(),
    unanswered: z.int().describe('Of these the ones that got no verdict.'),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost: z.number().nullable().describe('US dollars; null where the price of a call is not known.'),
  })
  .meta({ id: 'JudgeAuditReport' });
export type JudgeAuditReport = z.output<typeof JudgeAuditReport>;

export const AuditStatus = z.enum(['running', 'completed', 'failed', 'cancelled']).meta({ id: 'JudgeAuditStatus' });
export type AuditStatus = z.output<typeof AuditStatus>;

/** An audit as stored; its id is that of the job that makes it. */
export interface StoredAudit {
  readonly id: string;
  readonly scorer_id: string;
  readonly scorer_version_id: string;
  readonly scorer_version_number: number;
  readonly status: AuditStatus;
  /** Why it has no report. */
  readonly message: string | null;
  readonly plan: JudgeAuditPlan;
  readonly report: JudgeAuditReport | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** An audit as the API shows it. */
export const JudgeAudit = z
  .object({
    id: z.string(),
    scorer_id: z.string(),
    scorer_version_id: z.string(),
    scorer_version_number: z.int(),
    status: AuditStatus,
    message: z.string().nullable().describe('Why there is no report.'),
    questions_asked: z.int(),
    plan: JudgeAuditPlan,
    report: JudgeAuditReport.nullable(),
    created_by: z.string(),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .meta({ id: 'JudgeAudit' });
export type JudgeAudit = z.output<typeof JudgeAudit>;

export const JudgeAuditStarted = z
  .object({ plan: JudgeAuditPlan, audit: JudgeAudit.nullable().describe('Null for a dry run.') })
  .meta({ id: 'JudgeAuditStarted' });
export type JudgeAuditStarted = z.output<typeof JudgeAuditStarted>;
