/*
 * How much of an answer stands on what the model was given: the share of the answer's content words that also occur in
 * the evidence, from 0 to 1. Evidence is every message of the request except the model's own earlier answers, because a
 * model that repeats its own invention is no better founded for it. Words are compared by their beginnings, so that
 * inflected forms meet; scripts written without spaces are compared by pairs of characters; numbers must match whole,
 * since an invented price is the worst kind of invention. An answer that claims nothing (empty, or tool calls only)
 * scores 1; one in another language than its evidence scores low, so compare like with like. The figure is a cheap
 * first sieve: it finds invented content, not false conclusions from true content.
 */

// Scripts that do not put spaces between words; hiragana is left out, it is mostly grammar.
const UNSPACED = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/u;
const WORD = /\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{M}]+/gu;
const COMMON = new Set(
  (
    'about also been before both cannot could does from have here into just more must only other please shall should some sure than that their ' +
    'them then there they this what when where which will with would your yours aber auch dann dass diese dieser einen einer haben ' +
    'ihre ihren kann nach nicht oder sich sind über wenn werden wird avec cette dans elle leur mais nous pour vous votre sont ' +
    'como esta este para pero puede usted você pode mais jest oraz'
  ).split(' '),
);

function toText(content) {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (part && typeof part.text === 'string' ? part.text : '')).join(' ');
}

function pairs(word) {
  if (word.length < 2) return [word];
  return Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2));
}

function terms(text) {
  const found = [];
  for (const [word] of text.normalize('NFC').toLowerCase().matchAll(WORD)) {
    if (/^\p{N}/u.test(word)) found.push(word);
    else if (UNSPACED.test(word)) found.push(...pairs(word.replace(/\p{Script=Hiragana}/gu, '')).filter(Boolean));
    else if (word.length >= 4 && !COMMON.has(word)) found.push(word.slice(0, 5));
  }
  return found;
}

function toEvidence(input) {
  const messages = Array.isArray(input) ? input : [{ role: 'user', content: input }];
  return messages
    .filter((message) => message && message.role !== 'assistant')
    .map((message) => toText(message.content))
    .join('\n');
}

// biome-ignore lint/correctness/noUnusedVariables: the service calls it by this name
function scorer(record) {
  const answer = typeof record.output === 'string' ? record.output : toText(record.output?.content);
  const claimed = [...new Set(terms(answer))];
  if (claimed.length === 0) return 1;
  const evidence = new Set(terms(toEvidence(record.input)));
  const backed = claimed.filter((term) => evidence.has(term)).length;
  return Math.round((backed / claimed.length) * 1000) / 1000;
}
