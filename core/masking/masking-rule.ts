import { z } from 'zod';
import { cleanText } from '../kernel/text.ts';
import { MAX_PATTERN_LENGTH } from './pattern/compile-pattern.ts';

export const MASKING_KINDS = ['email', 'phone', 'iban', 'credit_card', 'secret_keys', 'pattern'] as const;
export const MaskingKind = z.enum(MASKING_KINDS);
export type MaskingKind = z.output<typeof MaskingKind>;

/** Words that stand in place of what is masked, unless a rule has its own. */
export const REPLACEMENTS: Readonly<Record<MaskingKind, string>> = {
  email: '[EMAIL]',
  phone: '[PHONE]',
  iban: '[IBAN]',
  credit_card: '[CARD]',
  secret_keys: '[SECRET]',
  pattern: '[MASKED]',
};

const MAX_RULES = 50;
const MAX_KEYS = 100;

const Keys = z
  .array(cleanText(1, 100).regex(/[\p{L}\p{N}]/u))
  .min(1)
  .max(MAX_KEYS)
  .nullable();
const Pattern = z.string().min(1).max(MAX_PATTERN_LENGTH).nullable();
const Replacement = z
  .string()
  .regex(/^\[[A-Z][A-Z0-9_]{0,39}\]$/)
  .nullable();

/**
 * One kind of content that is taken out of what a project is sent before it is stored. Rules are known by name; they are applied in
 * their order.
 */
export const MaskingRule = z
  .object({
    name: cleanText(1, 100).regex(/\S/),
    kind: MaskingKind,
    /** Of `secret_keys`: the names in place of the usual ones. */
    keys: Keys,
    /** Of `pattern`: a regular expression without look-around and back references. */
    pattern: Pattern,
    ignore_case: z.boolean(),
    /** In place of the usual word. */
    replacement: Replacement,
    is_enabled: z.boolean(),
  })
  .meta({ id: 'MaskingRule', description: 'One kind of content that is masked before it is stored.' });
export type MaskingRule = z.output<typeof MaskingRule>;

export const NewMaskingRule = z
  .object({
    ...MaskingRule.shape,
    keys: Keys.default(null),
    pattern: Pattern.default(null),
    ignore_case: z.boolean().default(false),
    replacement: Replacement.default(null),
    is_enabled: z.boolean().default(true),
  })
  .meta({ id: 'NewMaskingRule', description: 'A masking rule as a caller sends it.' });

export const MaskingRules = z.object({ rules: z.array(MaskingRule).max(MAX_RULES) }).meta({ id: 'MaskingRules' });
export type MaskingRules = z.output<typeof MaskingRules>;

/** The same list as a caller sends it. */
export const NewMaskingRules = z.object({ rules: z.array(NewMaskingRule).max(MAX_RULES) }).meta({ id: 'NewMaskingRules' });

/** A text, or any JSON, to see what would become of it; by the rules given, else by those of the project. */
export const MaskingTrial = z
  .object({ content: z.unknown(), rules: z.array(NewMaskingRule).max(MAX_RULES).nullish() })
  .meta({ id: 'MaskingTrial' });
export type MaskingTrial = z.output<typeof MaskingTrial>;

export const MaskingTrialResult = z.object({ content: z.unknown(), masked: z.record(z.string(), z.int()) }).meta({
  id: 'MaskingTrialResult',
  description: 'The content as it would be stored, and how often each rule, by name, masked something.',
});
export type MaskingTrialResult = z.output<typeof MaskingTrialResult>;

const Day = z.iso.date();
export const MaskingCount = z.object({ rule: z.string(), day: Day, masked: z.int() }).meta({ id: 'MaskingCount' });
export type MaskingCount = z.output<typeof MaskingCount>;
export const MaskingCounts = z.object({ counts: z.array(MaskingCount) }).meta({ id: 'MaskingCounts' });

/** Days in UTC, both included; all there are where none is given. */
export const MaskingDays = z.object({ from: Day.optional(), until: Day.optional() });
export type MaskingDays = z.output<typeof MaskingDays>;
