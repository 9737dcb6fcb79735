import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { withDefault } from '../kernel/optional.ts';
import { cleanText, Name } from '../kernel/text.ts';
import { DEFAULT_RULE, RatingType } from './rating.ts';
import { TRUTH_RULES, TruthRule } from './truth.ts';

const MAX_CHOICES = 100;
const bound = z.int().min(-1_000_000).max(1_000_000);
const choices = z.array(cleanText(1, 255)).max(MAX_CHOICES);
const instructions = z.string().max(10_000);

const facts = z.object({
  name: Name,
  annotation_type: RatingType,
  /** Instructions for annotators. */
  instructions: withDefault(instructions, ''),
  choices: withDefault(choices, []),
  min: withDefault(bound, DEFAULT_RULE.min),
  max: withDefault(bound, DEFAULT_RULE.max),
  /** How several answers about one record make one value; null: the rule that the type has by default. */
  truth_rule: TruthRule.nullish(),
});

/** A question that people answer about records. */
export const NewAnnotationTemplate = facts
  .refine(({ min, max }) => min < max, { path: ['max'], message: 'is not above the least score' })
  .refine(({ truth_rule, annotation_type }) => !truth_rule || TRUTH_RULES[annotation_type].includes(truth_rule), {
    path: ['truth_rule'],
    message: 'does not fit the type of the answers',
  })
  .meta({ id: 'NewAnnotationTemplate' });
export type NewAnnotationTemplate = z.output<typeof NewAnnotationTemplate>;

/** Answers that are there stay as they are: their type cannot change. */
export const AnnotationTemplateUpdate = z
  .object({
    name: Name.nullish(),
    instructions: instructions.nullish(),
    choices: choices.nullish(),
    truth_rule: TruthRule.nullish(),
  })
  .meta({ id: 'AnnotationTemplateUpdate' });
export type AnnotationTemplateUpdate = z.output<typeof AnnotationTemplateUpdate>;

export const AnnotationTemplate = z
  .object({
    id: z.string(),
    project_id: z.string(),
    name: z.string(),
    annotation_type: RatingType,
    instructions: z.string(),
    choices: z.array(z.string()),
    min: z.int(),
    max: z.int(),
    truth_rule: TruthRule,
    created_by: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'AnnotationTemplate' });
export type AnnotationTemplate = z.output<typeof AnnotationTemplate>;

export const templateNotFound = (id: string): AppError =>
  new AppError('not_found', 'annotation_template_not_found', `annotation template ${id} does not exist`);
