import { type JudgeModel, PluginError, type ScoreEffort, type ScorerKit, type Vote } from '../../../core/plugin-sdk/index.ts';
import type { Definition, Juror } from './definition.ts';
import type { VoteResult } from './judge.ts';
import { parseTemperature } from './temperature.ts';

/** One of those who are asked about a record. */
export interface Judge {
  /** A model, or why there is none. */
  readonly model: JudgeModel | { readonly failure: string };
  readonly temperature: number | undefined;
  /** Absent for the judges of one model, who are all the same. */
  readonly juror?: Juror;
}

/** The judges of a version: several of one model, or the jurors. A juror without a model is no reason not to ask the others. */
export async function openPanel(kit: Pick<ScorerKit, 'model'>, definition: Definition): Promise<Judge[]> {
  const { jurors, model_name, num_judges, temperature } = definition;
  if (jurors)
    return Promise.all(
      jurors.map(async (juror) => ({
        model: await openJuror(kit, juror),
        // Each model is asked once, and should say the same each time.
        temperature: parseTemperature({ temperature, num_judges: 1, model_name: juror.model_name }),
        juror,
      })),
    );
  const judge = { model: await kit.model(model_name), temperature: parseTemperature(definition) };
  return Array.from({ length: num_judges }, () => judge);
}

async function openJuror(kit: Pick<ScorerKit, 'model'>, { model_name, provider }: Juror): Promise<Judge['model']> {
  try {
    return await kit.model(model_name, { provider: provider ?? undefined, is_replaceable: true });
  } catch (error) {
    if (error instanceof PluginError) return { failure: error.message };
    throw error;
  }
}

/** A vote, of a juror with who gave it and how much it counts. */
export const toWeighed = (vote: Vote, { juror }: Judge): Vote =>
  juror ? { ...vote, model: juror.model_name, weight: juror.weight } : vote;

/** The jurors that gave no vote; nothing for the judges of one model. */
export function missingVotes(panel: readonly Judge[], ballots: readonly VoteResult[]): Pick<ScoreEffort, 'missing_votes'> {
  const missing_votes = panel.flatMap(({ juror }, at) => {
    const ballot = ballots[at]!;
    return juror && 'failure' in ballot ? [{ model: juror.model_name, weight: juror.weight, message: ballot.failure }] : [];
  });
  return missing_votes.length > 0 ? { missing_votes } : {};
}
