import { computeDigest, type Sha256 } from '../../kernel/digest.ts';
import { type Evidence, MAX_ERRORS, MAX_OUTPUTS, type TrialOutput } from './validation.ts';

type Status = 'success' | 'failed' | 'not_applicable';

/** Adds up what a candidate says, record by record. */
export class Tally {
  readonly #sha256: Sha256;
  readonly #outputs: TrialOutput[] = [];
  readonly #errors = new Set<string>();
  readonly #counts: Record<Status, number> = { success: 0, failed: 0, not_applicable: 0 };
  /** Of each input, one after the other: as good as a hash of them all, without keeping them. */
  #inputs = '';

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  add(input: string, status: Status, output: TrialOutput): void {
    this.#inputs = computeDigest(this.#inputs + computeDigest(input, this.#sha256), this.#sha256);
    this.#counts[status] += 1;
    if (this.#outputs.length < MAX_OUTPUTS) this.#outputs.push(output);
    if (status === 'failed' && this.#errors.size < MAX_ERRORS) this.#errors.add(output.message ?? '');
  }

  /** How many records there were so far. */
  get records(): number {
    return this.#counts.success + this.#counts.failed + this.#counts.not_applicable;
  }

  get failed(): number {
    return this.#counts.failed;
  }

  evidence(facts: Pick<Evidence, 'verdict' | 'definition_hash' | 'elapsed_ms' | 'finished_at'>): Evidence {
    const { success, failed, not_applicable } = this.#counts;
    return {
      ...facts,
      inputs_hash: this.#inputs,
      records: success + failed + not_applicable,
      succeeded: success,
      failed,
      not_applicable,
      peak_memory_bytes: null,
      outputs: this.#outputs,
      errors: [...this.#errors],
    };
  }
}
