/** A stretch of code; `kind` is the end of the name of its colour. */
export interface CodeWord {
  readonly text: string;
  readonly kind: 'comment' | 'text' | 'literal' | 'keyword' | undefined;
}

/** Longer code is shown in one colour. */
const MOST = 20_000;
const HASH = new Set(['py', 'python', 'sh', 'bash', 'shell', 'zsh', 'yaml', 'yml', 'toml', 'ruby', 'rb', 'r', 'dockerfile']);
const COMMENTS = { hash: /#.*/, dashes: /--.*/, slashes: /\/\/.*/ };
const WORDS = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\\n]|\\.)*`?|[A-Za-z_$][\w$]*|\d[\w.]*/;
const KEYWORDS = new Set(
  (
    'and as async await break case catch class const continue def default del elif else enum except export extends finally for ' +
    'from func function if import in interface is lambda let match new not or pass private public raise return select static ' +
    'switch this throw try type typeof var void while with yield fn impl mut pub struct use package self ' +
    'create delete group having insert into join limit on order by set table update values where'
  ).split(' '),
);
const LITERALS = new Set(['true', 'false', 'null', 'none', 'undefined']);

/** The words of code, told apart by what most languages share: comments, texts, numbers and keywords. One pass, and no grammar. */
export function splitCode(code: string, language: string): readonly CodeWord[] {
  if (code.length > MOST || language === 'text' || language === '') return [{ text: code, kind: undefined }];
  const expression = new RegExp(`(${toComment(language.toLowerCase()).source})|${WORDS.source}`, 'g');
  const words: CodeWord[] = [];
  let end = 0;
  for (const found of code.matchAll(expression)) {
    const [text, comment] = found;
    const kind = comment === undefined ? toKind(text) : 'comment';
    if (kind === undefined) continue;
    if (found.index > end) words.push({ text: code.slice(end, found.index), kind: undefined });
    words.push({ text, kind });
    end = found.index + text.length;
  }
  if (end < code.length) words.push({ text: code.slice(end), kind: undefined });
  return words;
}

const toComment = (language: string): RegExp =>
  language === 'sql' ? COMMENTS.dashes : HASH.has(language) ? COMMENTS.hash : COMMENTS.slashes;

function toKind(word: string): CodeWord['kind'] {
  if (/^["'`]/.test(word)) return 'text';
  if (/^\d/.test(word) || LITERALS.has(word.toLowerCase())) return 'literal';
  return KEYWORDS.has(word) || KEYWORDS.has(word.toLowerCase()) ? 'keyword' : undefined;
}
