import type { RecordType } from '../../../core/traces/record.ts';

const WORDS: Readonly<Record<RecordType, string>> = {
  trace: 'trace',
  workflow: 'flow',
  agent: 'agent',
  llm: 'llm',
  retriever: 'retr',
  tool: 'tool',
  control: 'ctrl',
};

/** What kind of step it is, by a word and a colour. */
export const StepBadge = ({ type }: { type: RecordType }) => (
  <span class={`step-badge step-${type}`} title={type}>
    {WORDS[type]}
  </span>
);
