import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { Permission } from '../kernel/permission.ts';
import { Id, Name } from '../kernel/text.ts';
import { asWord } from '../kernel/vocabulary.ts';
import type { SealedSecrets } from './secret-box.ts';

/** A user's account with a model provider, as the API shows it: nothing of its settings. */
export const Integration = z
  .object({
    id: z.string(),
    name: asWord(z.string()),
    provider: asWord(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
    created_by: z.string(),
    permissions: z.array(Permission),
    is_selected: z.boolean(),
    is_disabled: z.boolean(),
  })
  .meta({ id: 'Integration' });
export type Integration = z.output<typeof Integration>;

/** Settings of an integration without its secrets; the other fields are those of its provider. */
export const IntegrationSettings = z
  .looseObject({ id: z.string(), name: asWord(z.string()), provider: asWord(z.string()), extra: z.looseObject({}).nullable() })
  .meta({ id: 'IntegrationSettings' });
export type IntegrationSettings = z.output<typeof IntegrationSettings>;

export const IntegrationUpdate = z.object({ is_disabled: z.boolean().nullish() }).meta({ id: 'IntegrationUpdate' });
export type IntegrationUpdate = z.output<typeof IntegrationUpdate>;

export const IntegrationStatus = z
  .object({
    status: z.enum(['active', 'inactive']),
    error: z.string().optional(),
    circuit: z.enum(['closed', 'open', 'half_open']).optional(),
  })
  .meta({ id: 'IntegrationStatus' });
export type IntegrationStatus = z.output<typeof IntegrationStatus>;

/** Paths have a word of this form in the place of a name, and ids are taken there too. */
export const NewIntegrationName = Name.refine((name) => name !== 'available' && !Id.safeParse(name).success, {
  message: 'is taken by a path',
});

/** As stored: `settings` without the secrets, which are sealed. */
export interface StoredIntegration {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: SealedSecrets;
  readonly is_disabled: boolean;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export const integrationNotFound = (name: string): AppError =>
  new AppError('not_found', 'integration_not_found', `integration ${name} does not exist`);
