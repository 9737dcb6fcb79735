import type { RecordFilter } from '../../core/traces/record-query.ts';

/** Scripts without spaces between words: a part of such a text is never a word of the index. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** A phrase in double quotes, or what stands between spaces. */
const TERM = /"([^"]+)"|\S+/g;

/**
 * Filters for what somebody typed: whole words by their index, which is quick in any log stream; each phrase in double quotes as it is,
 * and so each part of a text that has no words, or where parts of words are asked for. All of them have to be met.
 */
export function toTextFilters(text: string, isPart: boolean): readonly RecordFilter[] {
  const terms = [...text.matchAll(TERM)].map(([term, phrase]) => ({ term: phrase ?? term, isPhrase: phrase !== undefined }));
  const isInside = ({ term, isPhrase }: (typeof terms)[number]): boolean => isPart || isPhrase || UNSPACED.test(term);
  const words = terms.filter((one) => !isInside(one)).map(({ term }) => term);
  return [
    ...(words.length > 0 ? [toFilter('words', words.join(' '))] : []),
    ...terms.filter(isInside).map(({ term }) => toFilter('content', term)),
  ];
}

/** Whether another search, for parts of words, may find more. */
export const hasWords = (text: string): boolean => toTextFilters(text, false).some(({ column_id }) => column_id === 'words');

const toFilter = (column_id: 'words' | 'content', value: string): RecordFilter => ({
  type: 'text',
  column_id,
  operator: 'contains',
  value,
  case_sensitive: false,
});
