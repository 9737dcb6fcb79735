import { defineCodeLanguage, sandboxedLanguage } from '../../../core/plugin-sdk/index.ts';

const STARTER = `import re


def scorer(record, **context):
    """Whether the answer is polite. Gets each record as the API shows it; gives a bool, a number, a text, a list or labels."""
    return bool(re.search(r"please|thank", str(record["output"]), re.IGNORECASE))
`;

/** Runs in the interpreter that the host's sandbox brings along. */
export const python = defineCodeLanguage({
  id: 'python',
  sdk: 1,
  stability: 'stable',
  label: 'Python',
  summary: 'A function called scorer, scorer_fn or score, or a class with score or __call__.',
  extensions: ['.py', '.pyi'],
  content_types: ['text/x-python', 'text/x-python-script', 'application/x-python-code'],
  starter: STARTER,
  engine: 'python',
  create: sandboxedLanguage,
});
