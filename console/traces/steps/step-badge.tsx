const WORDS: Readonly<Record<string, string>> = {
  trace: 'trace',
  workflow: 'flow',
  agent: 'agent',
  llm: 'llm',
  retriever: 'retr',
  tool: 'tool',
  control: 'ctrl',
};

/** What kind of step it is, by a word and a colour. */
export const StepBadge = ({ type }: { type: string }) => (
  <span class={`step-badge step-${type}`} title={type}>
    {WORDS[type] ?? type}
  </span>
);
