import type { z } from 'zod';
import type { ModelProvider } from './model-provider.ts';
import type { PluginHead, PluginHost } from './plugin.ts';

/** A value a scorer may give. */
export type ScoreValue = number | boolean | string | readonly (number | boolean | string)[];

/** What became of one record. A scorer that fails on a record says so here; it does not throw. */
export type ScoreOutcome =
  | { readonly status: 'success'; readonly value: ScoreValue; readonly explanation?: string }
  | { readonly status: 'failed'; readonly message: string };

/** One run of untrusted code over one record: what the sandbox saw. Mirrors the host's own sandbox port. */
export type CodeOutcome =
  | { readonly kind: 'returned'; readonly value: ScoreValue }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'timed_out'; readonly message: string }
  | { readonly kind: 'out_of_memory'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string };

/** What the host lends to a scorer. */
export interface ScorerKit extends PluginHost {
  /** The model behind an alias, with the credentials of the user who enabled the scorer. */
  model(alias: string): Promise<ModelProvider>;
  /** Runs user code over records, in order; one outcome per record. The code cannot reach the host. */
  runCode(
    program: { readonly language: 'javascript' | 'typescript'; readonly source: string },
    records: readonly string[],
  ): Promise<CodeOutcome[]>;
}

export interface ScoreRequest {
  /** The records as the API shows them, each as JSON text. */
  readonly records: readonly string[];
  readonly signal: AbortSignal;
}

export interface Scorer {
  /** One outcome per record, in the records' order. Throws only a PluginError, and only when no record could be judged. */
  score(request: ScoreRequest): Promise<ScoreOutcome[]>;
}

export interface ScorerKindPlugin<D extends z.ZodType = z.ZodType> extends PluginHead {
  readonly kind: 'scorer_kind';
  /** What one version of a scorer of this kind holds. */
  readonly definition: D;
  create(kit: ScorerKit, definition: z.output<D>): Scorer;
}

export function defineScorerKind<D extends z.ZodType>(plugin: Omit<ScorerKindPlugin<D>, 'kind'>): ScorerKindPlugin<D> {
  return Object.freeze({ ...plugin, kind: 'scorer_kind' as const });
}
