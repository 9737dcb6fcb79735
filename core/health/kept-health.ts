import { canonicalJson } from '../kernel/canonical-json.ts';
import { computeDigest, type Sha256 } from '../kernel/digest.ts';
import { isBefore } from '../kernel/timestamp.ts';
import { uuid4 } from '../otel/otel-ids.ts';
import type { ScorerVersionRecord } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { StoredHealthScore } from './health-score.ts';
import type { HealthStore } from './health-store.ts';
import type { HealthScoreType } from './health-type.ts';

export interface KeptHealthDeps {
  readonly healthStore: HealthStore;
  readonly scorerStore: Pick<ScorerStore, 'listVersions'>;
  readonly sha256: Sha256;
}

/** A runnable definition: that of a version, or of a candidate that may become one. */
export type RunnableDefinition = Pick<ScorerVersionRecord, 'kind' | 'definition'>;

/** A number that no version has: of what was measured before there was one. */
const NO_VERSION = 0;
const ALL_VERSIONS = { offset: 0, limit: 100_000 };

type Measured = Omit<StoredHealthScore, 'scorer_version_id' | 'scorer_version_number' | 'with_overlay'>;

/**
 * Health scores as they are shown: one for each version, dataset and type, the one computed last. What a candidate was measured
 * at belongs to the version of the scorer that runs the same; where there is none yet it waits for the first.
 */
export class KeptHealth {
  readonly #deps: KeptHealthDeps;

  constructor(deps: KeptHealthDeps) {
    this.#deps = deps;
  }

  async keep(measured: Measured, version: Pick<ScorerVersionRecord, 'id' | 'version'>): Promise<void> {
    await this.#put(measured, version.id, version.version);
  }

  async keepForCandidate(measured: Measured, candidate: RunnableDefinition): Promise<void> {
    const id = this.#getId(measured.scorer_id, candidate);
    const same = (await this.#versions(measured.scorer_id)).filter((one) => this.#getId(measured.scorer_id, one) === id);
    const newest = same.toSorted((a, b) => b.version - a.version)[0];
    await (newest ? this.keep(measured, newest) : this.#put(measured, id, NO_VERSION));
  }

  /** By version number, then type. */
  async list(scorer_id: string, dataset_id: string, type?: HealthScoreType): Promise<StoredHealthScore[]> {
    const found = await this.#deps.healthStore.list(scorer_id, dataset_id, type);
    const kept = found.filter(({ with_overlay }) => !with_overlay);
    const waiting = kept.filter(isWaiting);
    const known = kept.filter((score) => !isWaiting(score));
    return newestPerVersion([...known, ...(await this.#claimed(scorer_id, waiting))]).toSorted(byVersionAndType);
  }

  /** Under the first version that runs what was measured; without those that no version runs. */
  async #claimed(scorer_id: string, waiting: readonly StoredHealthScore[]): Promise<StoredHealthScore[]> {
    if (waiting.length === 0) return [];
    const versions = (await this.#versions(scorer_id)).toSorted((a, b) => b.version - a.version);
    const first = new Map(versions.map((version) => [this.#getId(scorer_id, version), version]));
    return waiting.flatMap((score) => {
      const version = first.get(score.scorer_version_id);
      return version ? [{ ...score, scorer_version_id: version.id, scorer_version_number: version.version }] : [];
    });
  }

  #put(measured: Measured, scorer_version_id: string, scorer_version_number: number): Promise<void> {
    return this.#deps.healthStore.put({ ...measured, scorer_version_id, scorer_version_number, with_overlay: false });
  }

  #versions(scorer_id: string): Promise<ScorerVersionRecord[]> {
    return this.#deps.scorerStore.listVersions(scorer_id, ALL_VERSIONS);
  }

  /** The same for all that runs the same. What a program was seen to give is no part of it. */
  #getId(scorer_id: string, { kind, definition: { score_type: _seen, ...definition } }: RunnableDefinition): string {
    return uuid4(computeDigest(`${scorer_id} ${kind} ${canonicalJson(definition)}`, this.#deps.sha256).slice(0, 32));
  }
}

const isWaiting = ({ scorer_version_number }: StoredHealthScore): boolean => scorer_version_number === NO_VERSION;

const byVersionAndType = (a: StoredHealthScore, b: StoredHealthScore): number =>
  a.scorer_version_number - b.scorer_version_number || (a.health_score_type < b.health_score_type ? -1 : 1);

/** One score for each version and type: the one computed last. Keeps the order of the first. */
function newestPerVersion(scores: readonly StoredHealthScore[]): StoredHealthScore[] {
  const newest = new Map<string, StoredHealthScore>();
  for (const score of scores) {
    const key = `${score.scorer_version_id} ${score.health_score_type}`;
    const known = newest.get(key);
    if (!known || isBefore(known.computed_at, score.computed_at)) newest.set(key, score);
  }
  return [...newest.values()];
}
