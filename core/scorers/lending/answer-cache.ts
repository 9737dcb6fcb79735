import { canonicalJson } from '../../kernel/canonical-json.ts';
import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import type { Completion, JudgeCall } from '../../plugin-sdk/index.ts';

/** Answers of models that could be used, by what was asked. Each project has its own. */
export interface AnswerCache {
  /** Undefined for what was not asked, or is past its time at `now`. */
  find(project_id: string, key: string, now: string): Promise<Completion | undefined>;
  /** A later answer takes the place of an earlier one. It goes with the run that asked first. */
  keep(answer: KeptAnswer): Promise<void>;
  /** Forgets some of those that are past their time at `now`; answers whether there may be more. */
  forget(now: string): Promise<boolean>;
}

export interface KeptAnswer {
  readonly project_id: string;
  readonly run_id: string;
  readonly key: string;
  readonly completion: Completion;
  readonly expires_at: string;
}

export const KEPT_DAYS = 7;

/** Who asks whom. */
export interface Asked {
  readonly provider: string;
  readonly model: string;
  readonly scorer_version_id: string;
}

/** The same for the same question to the same model by the same judge of the same scorer version. */
export function toCacheKey({ provider, model, scorer_version_id }: Asked, call: JudgeCall, sha256: Sha256): string {
  const { signal: _signal, accept: _accept, labels: _labels, nonce, ...question } = call;
  const text = canonicalJson({ provider, model, scorer_version_id, question });
  return computeDigest(nonce ? text.replaceAll(nonce, '') : text, sha256);
}
