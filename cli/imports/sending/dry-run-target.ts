import type { ImportTally } from '../import-report.ts';
import type { NumberedPrompt } from '../prompt-versions.ts';
import type { BuiltTrace } from '../to-trace.ts';
import { toLabel } from './prompt-labels.ts';
import type { DatasetRow, ImportTarget } from './target.ts';

/** Counts and sends nothing. */
export class DryRunTarget implements ImportTarget {
  readonly #tally: ImportTally;

  constructor(tally: ImportTally) {
    this.#tally = tally;
  }

  async session(external_id: string): Promise<string> {
    return external_id;
  }

  async trace({ spans, scores }: BuiltTrace): Promise<void> {
    this.#tally.arrived('traces');
    this.#tally.arrived('spans', spans.length);
    this.#tally.arrived('scores', scores);
  }

  async rate(): Promise<void> {
    this.#tally.arrived('ratings');
  }

  async rows(_dataset: string, rows: AsyncIterable<DatasetRow>): Promise<void> {
    this.#tally.arrived('datasets');
    for await (const _row of rows) this.#tally.arrived('rows');
  }

  async prompt(versions: readonly NumberedPrompt[]): Promise<void> {
    this.#tally.arrived('prompts');
    this.#tally.arrived('prompt_versions', versions.length);
    for (const label of versions.flatMap(({ labels }) => labels)) {
      if (toLabel(label) === undefined) this.#tally.leftOut(`label ${label}`);
      else this.#tally.arrived('labels');
    }
  }

  async flush(): Promise<void> {}
}
