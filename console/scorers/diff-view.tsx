import { type DiffLine, diffLines, nearChanges } from './line-diff.ts';

const MARKS = { same: ' ', gone: '−', new: '+' } as const;
const WORDS = { same: '', gone: 'removed: ', new: 'added: ' } as const;

/** Two texts as one, with what went and what came. */
export function DiffView({ label, before, after }: { label: string; before: string; after: string }) {
  const lines = nearChanges(diffLines(before, after));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section class="line-diff" aria-label={label} tabIndex={0}>
      {lines.map((line, at) => (
        <Line key={at} line={line} />
      ))}
    </section>
  );
}

const Line = ({ line }: { line: DiffLine | null }) =>
  line === null ? (
    <div class="left-out">⋯</div>
  ) : (
    <div class={line.kind}>
      <span aria-hidden="true">{MARKS[line.kind]} </span>
      {line.kind !== 'same' && <span class="visually-hidden">{WORDS[line.kind]}</span>}
      {line.text}
    </div>
  );
