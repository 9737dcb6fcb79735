/** Programs, traces and scorers of the trial of the packages. */
export const PROJECT = 'first steps';
export const BY_TYPESCRIPT = 'from TypeScript';
export const BY_PYTHON = 'from Python';

/** A program in each language; each says yes to the traces below. */
export const SCORERS = [
  {
    name: 'in_javascript',
    file: 'scorer.js',
    source: 'function scorer(record) { return /apple/.test(record.input); }',
  },
  {
    name: 'in_typescript',
    file: 'scorer.ts',
    source: 'const found: boolean = true;\nexport default (): boolean => found;',
  },
  { name: 'in_python', file: 'scorer.py', source: 'def scorer(record):\n    return "apple" in record["input"]\n' },
] as const;

/** Ends with 1 where the trace was not acknowledged. */
export const FIRST_TYPESCRIPT = `import { init } from 'touchstone-client';

const touchstone = init({
  project: '${PROJECT}',
  onLost: (spans, why) => {
    console.error(why);
    process.exitCode = 1;
  },
});
const answer = touchstone.traced({ name: '${BY_TYPESCRIPT}', type: 'agent' }, (question) => \`yes, \${question}\`);
await answer('an apple');
await touchstone.shutdown();
`;

/** Ends with 1 where the trace was not acknowledged. */
export const FIRST_PYTHON = `import sys
from touchstone_client import init

lost = []
touchstone = init("${PROJECT}", on_lost=lambda spans, why: lost.append(why))

@touchstone.traced("${BY_PYTHON}", "agent")
def answer(question):
    return f"yes, {question}"

answer("an apple")
delivered = touchstone.shutdown(60)
sys.exit(0 if delivered and not lost else f"the trace is lost: {lost}")
`;
