import { labelKey } from '../plugin-sdk/index.ts';

/**
 * Numbers for labels, from 0 in the order of their first appearance. Labels are kept as they were first written; how they are
 * told apart is up to `getKey`. Kept in a map, so a label may be called whatever it likes.
 */
export class LabelCodes {
  readonly labels: string[] = [];
  readonly #codes = new Map<string, number>();
  readonly #getKey: (label: string) => string;

  constructor(getKey: (label: string) => string = labelKey) {
    this.#getKey = getKey;
  }

  getCode(label: string): number {
    const key = this.#getKey(label);
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    this.#codes.set(key, this.labels.length);
    return this.labels.push(label) - 1;
  }
}
