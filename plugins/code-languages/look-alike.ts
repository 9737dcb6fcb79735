import { type CodeLanguage, type CodeOutcome, sandboxedLanguage } from '../../core/plugin-sdk/index.ts';

const PYTHON = 'this is Python, in a file of another language: its name is to end in .py';
/** Lines that begin a Python program, and are no JavaScript. */
const PYTHON_LINE =
  /^(?:[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(|from[ \t]+[\w.]+[ \t]+import[ \t]|import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*\r?$)/m;

const looksOtherwise = (source: string): string | undefined => (PYTHON_LINE.test(source) ? PYTHON : undefined);

/** JavaScript in the sandbox of the host. A program that is refused is told what it looks like; one that compiles is never asked. */
export function javaScript(): CodeLanguage {
  const { check, run } = sandboxedLanguage();
  return {
    async check(call) {
      const flaw = await check(call);
      const other = flaw && looksOtherwise(call.source);
      return flaw && other ? { ...flaw, message: `${other} (${flaw.message})` } : flaw;
    },
    async run(call) {
      const outcomes = await run(call);
      if (!outcomes.some(isRefused)) return outcomes;
      const other = looksOtherwise(call.source);
      if (other === undefined) return outcomes;
      return outcomes.map((one) => (isRefused(one) ? { kind: 'refused', message: `${other} (${one.message})` } : one));
    },
  };
}

const isRefused = (outcome: CodeOutcome): outcome is Extract<CodeOutcome, { kind: 'refused' }> => outcome.kind === 'refused';
