import { z } from 'zod';
import { UserSummary } from '../access/users/user.ts';
import { AppError } from '../kernel/errors.ts';

/** The label that the newest version of every template has: it moves by itself. */
export const LATEST = 'latest';
/** Labels that one template may have at once. */
export const MAX_LABELS = 50;

/** `production`, `staging` or an own word. */
export const TemplateLabelName = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/);

/** Which version a label names now. */
export interface TemplateLabelHolder {
  readonly template_id: string;
  readonly label: string;
  readonly version: number;
}

/** One move of a label; the version it had, the one it has since. */
export interface StoredLabelMove {
  readonly template_id: string;
  readonly label: string;
  /** Null when the template had no such label. */
  readonly from_version: number | null;
  /** Null when the label was taken off. */
  readonly to_version: number | null;
  readonly moved_by: string;
  readonly moved_at: string;
}

export const TemplateLabel = z.object({ label: z.string(), version: z.int() }).meta({ id: 'TemplateLabel' });
export type TemplateLabel = z.output<typeof TemplateLabel>;

export const TemplateLabelMove = z
  .object({
    label: z.string(),
    from_version: z.int().nullable(),
    to_version: z.int().nullable(),
    moved_at: z.string(),
    moved_by_user: UserSummary.nullable(),
  })
  .meta({ id: 'TemplateLabelMove' });
export type TemplateLabelMove = z.output<typeof TemplateLabelMove>;

export const TemplateLabelUpdate = z.object({ version: z.int().min(0).max(2_147_483_647) }).meta({ id: 'TemplateLabelUpdate' });
export type TemplateLabelUpdate = z.output<typeof TemplateLabelUpdate>;

export const templateLabelNotFound = (label: string): AppError =>
  new AppError('not_found', 'template_label_not_found', `the template has no version labelled ${label}`);
