import { z } from 'zod';
import { forKinds } from '../kinds/for-kinds.ts';
import { allowed_model, definition, times, versionFields } from './version-fields.ts';

/** The short form of a version, as entries and scorers carry it, with the fields of the installed kinds. */
export const storedVersionSchema = forKinds((kinds) =>
  z.object({ ...versionFields, ...kinds.viewFields.short, definition }).meta({ id: 'StoredScorerVersion' }),
);
export type StoredScorerVersion = z.output<ReturnType<typeof storedVersionSchema>>;

/** A version that is read by itself, with the fields of the installed kinds. */
export const scorerVersionSchema = forKinds((kinds) => {
  const { short, full } = kinds.viewFields;
  const further = Object.entries(full).filter(([name]) => !Object.hasOwn(short, name));
  const same = Object.keys(short).map((name) => [name, full[name]!] as const);
  return z
    .object({
      ...versionFields,
      ...Object.fromEntries(same),
      definition,
      ...times,
      ...Object.fromEntries(further),
      allowed_model,
    })
    .meta({ id: 'ScorerVersion' });
});
export type ScorerVersion = z.output<ReturnType<typeof scorerVersionSchema>>;
