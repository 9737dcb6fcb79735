import { canonicalJson } from '../kernel/canonical-json.ts';
import { computeDigest, type Sha256 } from '../kernel/digest.ts';
import type { Completion } from '../plugin-sdk/index.ts';
import type { Question } from './model-call.ts';

/** Answers of models that could be used, by what was asked. Each project has its own. */
export interface AnswerCache {
  /** Undefined for what was not asked, or is past its time at `now`. */
  find(project_id: string, key: string, now: string): Promise<Completion | undefined>;
  /** A later answer takes the place of an earlier one. It goes with the run that asked first. */
  keep(answer: KeptAnswer): Promise<void>;
  /** Forgets some of those that are past their time at `now`; returns whether there may be more. */
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

/** Who is asked, and on whose behalf answers are kept apart. */
export interface AskedModel {
  readonly provider: string;
  readonly model: string;
  readonly scope: string;
}

/**
 * Digest of a question: the same for the same one to the same model in the same scope, whatever its nonce and labels. Files count by
 * their content.
 */
export function digestQuestion(asked: AskedModel, question: Question, nonce: string | undefined, sha256: Sha256): string {
  const { labels: _labels, messages: sent, ...rest } = question;
  const messages = sent.map(({ files, ...message }) =>
    files ? { ...message, files: files.map(({ media_type, digest }) => ({ media_type, digest })) } : message,
  );
  const text = canonicalJson({ ...asked, question: { ...rest, messages } });
  return computeDigest(nonce ? text.replaceAll(nonce, '') : text, sha256);
}
