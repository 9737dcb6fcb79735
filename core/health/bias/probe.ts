import { z } from 'zod';

export const PROBES = [
  'position',
  'verbosity',
  'self_preference',
  'formatting',
  'language',
  'injection',
  'repeatability',
] as const;
export const Probe = z.enum(PROBES).meta({ id: 'BiasProbe' });
export type Probe = z.output<typeof Probe>;

export const ProbeVerdict = z.enum(['biased', 'not_shown', 'not_enough_data']);
export type ProbeVerdict = z.output<typeof ProbeVerdict>;

export const Measure = z.enum(['difference', 'excess_change', 'label_place', 'pull', 'unsteady_share']);
export type Measure = z.output<typeof Measure>;

const Group = z
  .object({
    name: z.string(),
    pairs: z.int(),
    effect: z.number().nullable().describe('The mean difference of this part.'),
  })
  .meta({ id: 'BiasProbeGroup' });

/** A finding about one kind of bias. */
export const ProbeResult = z
  .object({
    probe: Probe,
    verdict: ProbeVerdict,
    measure: Measure.describe(
      'Unit of `effect`: of `difference` and, for verdicts with an order, of `pull` that of the verdict, true counted as 1; the others are shares, 0 to 1, or differences of such.',
    ),
    effect: z.number().nullable().describe('0 is no bias; null without pairs.'),
    interval: z
      .object({ low: z.number(), high: z.number(), level: z.number() })
      .nullable()
      .describe('Between which values the effect would lie for other texts of the same kind.'),
    rank_biserial: z
      .number()
      .nullable()
      .describe('Matched-pairs rank-biserial correlation, −1 to 1: an effect size that can be compared between output types.'),
    pairs: z.int().describe('Pairs of verdicts that were compared.'),
    unusable_pairs: z.int().describe('Pairs that have no two verdicts.'),
    p_value: z.number().nullable(),
    adjusted_p_value: z.number().nullable().describe('After Holm, over the probes with enough pairs.'),
    groups: z.array(Group).describe('By model family, by kind of attempt; empty where a probe has no parts.'),
    changed: z
      .array(z.object({ case: z.string(), before: z.json(), after: z.json() }).meta({ id: 'ChangedVerdict' }))
      .describe('Up to twenty of the pairs whose verdicts differ; none of those of records, whose content a verdict may repeat.'),
  })
  .meta({ id: 'BiasProbeResult' });
export type ProbeResult = z.output<typeof ProbeResult>;
