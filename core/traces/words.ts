/** Longer ones are cut: nobody types them, and an index row has its limits. */
const MAX_WORD = 64;
/** Words of one record that are kept; a record that long is found by others. */
const MAX_WORDS = 5_000;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;

/** The different words of texts, for searching: runs of letters and digits, folded to lower case. */
export function wordsOf(...texts: readonly (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of folded(text ?? '').matchAll(WORD)) {
      if (words.size >= MAX_WORDS) return [...words];
      words.add(word.slice(0, MAX_WORD));
    }
  }
  return [...words];
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase().toWellFormed();
