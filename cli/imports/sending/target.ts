import type { JsonObject } from '../../../core/kernel/json.ts';
import type { NumberedPrompt } from '../prompt-versions.ts';
import type { BuiltTrace, Rating } from '../to-trace.ts';

/** Where an import goes: a service, or nowhere on a dry run. */
export interface ImportTarget {
  /** Id of the session that another product knows by this name; made where it is missing. */
  session(external_id: string): Promise<string>;
  /** Traces may wait until more have come, or `flush`. */
  trace(trace: BuiltTrace, session_id: string | undefined): Promise<void>;
  rate(rating: Rating): Promise<void>;
  /** The rows of one dataset; those that are there stay as they are. */
  rows(dataset: string, rows: AsyncIterable<DatasetRow>): Promise<void>;
  /** All versions of one prompt, ascending. */
  prompt(versions: readonly NumberedPrompt[]): Promise<void>;
  flush(): Promise<void>;
}

export interface DatasetRow {
  readonly row_id: string;
  readonly values: JsonObject;
}
