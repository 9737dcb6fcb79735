import { CONTENT, type RecordFilter, WORDS } from '../record-query.ts';

/** Scripts without spaces between words: a part of such a text is never a word of the index. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** A phrase in double quotes, or what stands between spaces. */
const TERM = /"([^"]+)"|\S+/g;

/** How words of a text are looked for: whole, by their index, or as parts of words too. */
export type TextMatch = 'words' | 'part';

/** Terms of a typed text: phrases in double quotes, and what spaces part. */
export const termsIn = (text: string): string[] => [...text.matchAll(TERM)].map(([term, phrase]) => phrase ?? term);

/**
 * Filters for what somebody typed, all of which have to be met. Whole words are found by their index; phrases, and terms of scripts
 * without spaces, as they stand in the texts, as all terms are where parts of words are asked for.
 */
export function toTextFilters(text: string, match: TextMatch): RecordFilter[] {
  const terms = [...text.matchAll(TERM)].map(([term, phrase]) => ({ term: phrase ?? term, isPhrase: phrase !== undefined }));
  const isInside = ({ term, isPhrase }: (typeof terms)[number]): boolean => match === 'part' || isPhrase || UNSPACED.test(term);
  const words = terms.filter((one) => !isInside(one)).map(({ term }) => term);
  return [
    ...(words.length > 0 ? [toFilter(WORDS, words.join(' '))] : []),
    ...terms.filter(isInside).map(({ term }) => toFilter(CONTENT, term)),
  ];
}

const toFilter = (column_id: string, value: string): RecordFilter => ({
  ...{ type: 'text', column_id, operator: 'contains', value, case_sensitive: false },
});
