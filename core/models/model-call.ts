import { z } from 'zod';
import type { Completion, CompletionRequest, TextMessage } from '../plugin-sdk/index.ts';

/** Purposes of model calls. */
export const ModelPurpose = z.enum([
  'judge',
  'scorer_trial',
  'judge_audit',
  'experiment',
  'scorer_autogen',
  'synthetic_rows',
  'playground',
]);
export type ModelPurpose = z.output<typeof ModelPurpose>;

/** Who calls for what: slots are shared and calls are counted by it. Null for what a call does not belong to. */
export interface ModelUsage {
  readonly purpose: ModelPurpose;
  /** Whose integrations are used. */
  readonly user_id: string;
  readonly project_id: string | null;
  readonly run_id: string | null;
  readonly scorer_id: string | null;
  readonly scorer_version_id: string | null;
}

/** A file of a question. Its bytes are read for each attempt, when the call has its slot: calls that wait hold none. */
export interface QuestionFile {
  readonly media_type: string;
  /** SHA-256 of the bytes, or whatever else stands for them alone. */
  readonly digest: string;
  /** Rejects with a PluginError when there is no content any more. */
  read(): Promise<Uint8Array>;
}

export interface QuestionMessage extends TextMessage {
  readonly files?: readonly QuestionFile[];
}

export interface Question extends Omit<CompletionRequest, 'model' | 'signal' | 'messages'> {
  readonly messages: readonly QuestionMessage[];
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** How long the provider may take for one attempt, in milliseconds; a minute where absent. */
  readonly deadlineMs?: number;
  /** Told the text of the answer while it is written. A call that told some is not made again when it fails. */
  readonly onText?: (text: string) => void;
  /** Gives a kept answer to the same question, and keeps one that can be used. Only calls of a run have a cache. */
  readonly cache?: CacheOption;
  /** Checks before each attempt what the scorer of this call has spent in its run today. */
  readonly budget?: BudgetOption;
}

export interface CacheOption {
  /** Answers of one scope are not given in another. */
  readonly scope: string;
  /** A random string in the messages, another one in each call, that is left out when questions are compared. */
  readonly nonce?: string | undefined;
  /** Whether the answer can be used. */
  accept(completion: Completion): boolean;
}

export interface BudgetOption {
  /** US dollars a day, UTC. */
  readonly perDay: number;
}

export interface ModelAnswer {
  readonly completion: Completion;
  /** US dollars, 0 from the cache; null when the price of the model is not known. */
  readonly cost: number | null;
  readonly cached: boolean;
}
