import { useMemo } from 'preact/hooks';
import { changedWords, type TextPart } from './changed-words.ts';
import '../styles/changes.css';

interface ChangedTextProps {
  readonly before: string;
  readonly after: string;
  readonly labels?: readonly [before: string, after: string];
}

/** A text and what it became, beside each other, with the words marked that changed. */
export function ChangedText({ before, after, labels = ['Before', 'After'] }: ChangedTextProps) {
  const parts = useMemo(() => changedWords(before, after), [before, after]);
  return (
    <div class="changed-text">
      <Side label={labels[0]} parts={parts.filter(({ kind }) => kind !== 'added')} />
      <Side label={labels[1]} parts={parts.filter(({ kind }) => kind !== 'removed')} />
    </div>
  );
}

const Side = ({ label, parts }: { label: string; parts: readonly TextPart[] }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and a page may have many of these.
  <div role="group" aria-label={label} class="changed-side" dir="auto">
    {parts.length === 0 && <span class="text-body-secondary">nothing</span>}
    {parts.map(({ kind, text }, at) => {
      const Mark = kind === 'same' ? 'span' : kind === 'removed' ? 'del' : 'ins';
      return <Mark key={at}>{text}</Mark>;
    })}
  </div>
);
