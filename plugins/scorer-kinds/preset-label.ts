/** Words of names that are not simply written with a capital. */
const WORDS: Readonly<Record<string, string>> = {
  pii: 'PII',
  sql: 'SQL',
  json: 'JSON',
  bleu: 'BLEU',
  rouge: 'ROUGE',
  sexist: 'Sexism',
  gpt: '(LLM)',
  finetuned: '(SLM)',
  python: '(Python)',
};

const NAMES: Readonly<Record<string, string>> = {
  agentic_workflow_success: 'Action Advancement',
  agentic_session_success: 'Action Completion',
  precision_at_k: 'Precision@K',
  precision_at_k_python: 'Precision@K (Python)',
  rouge_n: 'ROUGE-N',
  rouge_n_python: 'ROUGE-N (Python)',
};

/** How a preset is shown, in title case: clients look presets up by it, letter for letter. */
export const presetLabel = (name: string): string => NAMES[name] ?? name.split('_').map(titled).join(' ');

const titled = (word: string): string => WORDS[word] ?? word[0]!.toUpperCase() + word.slice(1);
