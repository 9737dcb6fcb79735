import { z } from 'zod';
import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import type { ScorerKindPlugin } from '../../plugin-sdk/index.ts';
import { type Definition, getType, type ScorerKinds } from '../kinds/scorer-kinds.ts';
import { type ScorerRecord, type ScorerVersionRecord, scorerNotFound } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';

export interface NewVersionDeps {
  readonly scorerStore: ScorerStore;
  readonly scorerKinds: ScorerKinds;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Content of a version, beside its author and time. */
export type VersionContent = Omit<
  ScorerVersionRecord,
  'id' | 'scorer_id' | 'version' | 'created_by' | 'created_at' | 'updated_at'
>;

/** The scorer, if the caller may give it a version of this kind. */
export async function ownScorer(
  { scorerStore, scorerKinds, authorizer }: Pick<NewVersionDeps, 'scorerStore' | 'scorerKinds' | 'authorizer'>,
  caller: Caller,
  id: string,
  kind?: ScorerKindPlugin,
): Promise<ScorerRecord> {
  const scorer = await scorerStore.find(id);
  if (!scorer) throw scorerNotFound(id);
  authorizer.authorizeOnOwn(caller, scorer.created_by, 'scorer');
  if (kind && scorerKinds.findByType(scorer.scorer_type)?.id !== kind.id) throw typeUnfit(scorer, getType(kind));
  return scorer;
}

export function typeUnfit(scorer: ScorerRecord, type: string): AppError {
  const msg = `scorer "${scorer.name}" is of type ${scorer.scorer_type}, not ${type}`;
  return new AppError('invalid', 'scorer_type_mismatch', msg, {
    issues: [{ loc: ['path', 'scorer_id'], msg, type: 'scorer_type_mismatch' }],
  });
}

/**
 * Parses a definition by the plugin of the kind. Rejects with AppError `invalid` where the plugin does not take it.
 * Rejects with AppError `invalid` what it does not take.
 */
export function fitDefinition(
  scorerKinds: ScorerKinds,
  kind: string,
  given: Definition,
  loc: readonly string[] = ['body'],
): Definition {
  const plugin = scorerKinds.find(kind);
  if (!plugin) throw kindMissing(kind);
  const parsed = scorerKinds.parse(plugin, given);
  if (parsed.definition) return parsed.definition;
  const issues = parsed.issues.map(({ path, message: msg }) => ({
    loc: [...loc, ...path.map((part) => (typeof part === 'number' ? part : String(part)))],
    msg,
    type: 'definition_invalid',
  }));
  throw new AppError('invalid', 'definition_invalid', 'the scorer is not well defined', { issues });
}

/** Without what is absent or null. */
export const present = (fields: Definition): Definition =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

const Settings = z.looseObject({
  model_name: z.string().nullish(),
  num_judges: z.int().nullish(),
  cot_enabled: z.boolean().nullish(),
  output_type: z.string().nullish(),
  input_type: z.string().nullish(),
});

/** A version with this definition; what the definition does not say of itself, the scorer says. */
export function toContent(
  scorer: ScorerRecord,
  kind: string,
  definition: Definition,
  scoreable_node_types: readonly string[] | null,
): VersionContent {
  const { model_name, num_judges, cot_enabled, output_type, input_type } = Settings.parse(definition);
  return {
    kind,
    definition,
    model_name: model_name ?? null,
    num_judges: num_judges ?? null,
    cot_enabled: cot_enabled ?? null,
    output_type: output_type ?? scorer.output_type,
    input_type: input_type ?? scorer.input_type,
    calibration: null,
    scoreable_node_types: scoreable_node_types ?? scorer.scoreable_node_types,
  };
}

/** Stores the next version within the transaction under way, or one of its own. The first one becomes the default. */
export async function addVersion(
  { scorerStore, auditTrail, transactions, clock, newId }: NewVersionDeps,
  caller: Caller,
  scorer: ScorerRecord,
  content: VersionContent,
  id: string = newId(),
): Promise<ScorerVersionRecord> {
  const now = clock().toISOString();
  const made = { created_by: caller.user_id, created_at: now, updated_at: now };
  return transactions.run(async () => {
    const added = await scorerStore.insertVersion({ ...content, ...made, id, scorer_id: scorer.id });
    const first = added.version === 1 ? { default_version_id: added.id } : {};
    await scorerStore.update(scorer.id, { ...first, updated_at: now });
    const details = { version: added.version };
    await auditTrail.note(caller, { action: 'scorer_version.create', object_kind: 'scorer', object_id: scorer.id, details });
    return added;
  });
}

const kindMissing = (kind: string): AppError => {
  const msg = `no plugin for scorers of kind "${kind}" is installed`;
  return new AppError('invalid', 'scorer_kind_unknown', msg, { issues: [{ loc: ['body'], msg, type: 'scorer_kind_unknown' }] });
};
