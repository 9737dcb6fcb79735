import { stripTypeScriptTypes } from 'node:module';
import { createContext, runInContext } from 'node:vm';
import { type DemoScorer, toSource } from './demo-scorers.ts';

/**
 * A scorer of the demo in a bare context, for tests: no host object and no Intl, as in the service's sandbox. The record
 * goes in as JSON text, so what comes out depends on nothing but the code.
 */
export function scorerInVm(scorer: DemoScorer): (record: unknown) => unknown {
  const source = toSource(scorer);
  const code = scorer.file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  runInContext('delete globalThis.Intl', context);
  // A script has no default export; the function is the same without the two words.
  runInContext(code.replace(/^export default /m, ''), context, { filename: scorer.file });
  return (record) => runInContext(`scorer(JSON.parse(${JSON.stringify(JSON.stringify(record))}))`, context, { timeout: 1000 });
}
