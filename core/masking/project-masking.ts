import { computeDigest, type Sha256 } from '../kernel/digest.ts';
import type { Clock, Log } from '../kernel/ports.ts';
import { type Pause, runInSteps, type Steps } from '../kernel/slices.ts';
import { compileRules } from './compiled-rule.ts';
import { Masker, type Tally } from './masker.ts';
import type { MaskingRule } from './masking-rule.ts';
import type { MaskingStore } from './masking-store.ts';

export interface ProjectMaskingDeps {
  readonly maskingStore: MaskingStore;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly pause: Pause;
  readonly log: Log;
}

/** For how long another instance's change of rules may go unseen. */
const KEPT_MS = 2_000;
const MAX_PROJECTS = 1_000;
const KEY_LENGTH = 12;

/** Masking as it holds in a project. A short-lived cache of compiled rules by project. */
export class ProjectMasking {
  readonly #deps: ProjectMaskingDeps;
  readonly #kept = new Map<string, { readonly until: number; readonly masker: Promise<Masker | undefined> }>();

  constructor(deps: ProjectMaskingDeps) {
    this.#deps = deps;
  }

  /** Undefined where the project has no rules that are enabled. */
  maskerFor(project_id: string): Promise<Masker | undefined> {
    const now = this.#deps.clock().getTime();
    const known = this.#kept.get(project_id);
    if (known && known.until > now) return known.masker;
    const masker = this.#deps.maskingStore.list(project_id).then((rules) => this.toMasker(project_id, rules));
    this.#kept.delete(project_id);
    this.#kept.set(project_id, { until: now + KEPT_MS, masker });
    if (this.#kept.size > MAX_PROJECTS) this.#kept.delete(this.#kept.keys().next().value!);
    masker.catch(() => this.#kept.delete(project_id));
    return masker;
  }

  /** Throws AppError as `compileRules` does. */
  toMasker(project_id: string, rules: readonly MaskingRule[]): Masker | undefined {
    const compiled = compileRules(rules);
    const toKey = (text: string) => computeDigest(`${project_id} ${text}`, this.#deps.sha256).slice(0, KEY_LENGTH);
    return compiled.length > 0 ? new Masker(compiled, toKey) : undefined;
  }

  /** To be called after every change, so that it takes effect at once in this process. */
  forget(project_id: string): void {
    this.#kept.delete(project_id);
  }

  /** Masks with turns for others: content may be megabytes, and patterns take their time. */
  inTurns<T>(steps: Steps<T>): Promise<T> {
    return runInSteps(steps, this.#deps.pause);
  }

  /** Adds to the counts of the day. A failure is logged: what was to be stored is stored. */
  async count(project_id: string, tally: Tally): Promise<void> {
    if (tally.size === 0) return;
    const { maskingStore, clock, log } = this.#deps;
    try {
      await maskingStore.addCounts(project_id, clock().toISOString().slice(0, 10), tally);
    } catch (error) {
      log.warn('masked values were not counted', { project_id, error: error instanceof Error ? error.message : String(error) });
    }
  }
}
