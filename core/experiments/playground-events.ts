import type { VariantResult } from './playground-call.ts';

/** An event of a call of the playground that is followed while it goes on. `variant` counts from 0. */
export type PlaygroundEvent =
  | { readonly event: 'start'; readonly data: { readonly variants: number } }
  | { readonly event: 'delta'; readonly data: { readonly variant: number; readonly text: string } }
  | { readonly event: 'result' | 'error'; readonly data: VariantResult & { readonly variant: number } }
  | { readonly event: 'interrupted'; readonly data: { readonly message: string } }
  | { readonly event: 'end'; readonly data: Readonly<Record<string, never>> };

/**
 * Events on their way to a reader. Texts that are not read yet are joined, one for each variant, so a slow reader is sent fewer and
 * longer ones: it holds up neither the models nor other readers, and no more waits for it than the answers are long.
 */
export class PlaygroundEvents {
  readonly #texts = new Map<number, string[]>();
  readonly #others: PlaygroundEvent[] = [];
  #isClosed = false;
  #wake = Promise.withResolvers<void>();

  text(variant: number, text: string): void {
    const waiting = this.#texts.get(variant);
    if (waiting) waiting.push(text);
    else this.#texts.set(variant, [text]);
    this.#wake.resolve();
  }

  /** Comes after all texts so far. */
  push(event: PlaygroundEvent): void {
    this.#others.push(event);
    this.#wake.resolve();
  }

  /** Ends the events after those that wait; later ones are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#wake.resolve();
  }

  async *read(): AsyncGenerator<PlaygroundEvent, void> {
    for (;;) {
      const texts = [...this.#texts];
      this.#texts.clear();
      const others = this.#others.splice(0);
      const isLast = this.#isClosed;
      this.#wake = Promise.withResolvers();
      for (const [variant, parts] of texts) yield { event: 'delta', data: { variant, text: parts.join('') } };
      yield* others;
      if (isLast) return;
      if (this.#texts.size === 0 && this.#others.length === 0 && !this.#isClosed) await this.#wake.promise;
    }
  }
}
