import type { AuditCase } from './audit-texts.ts';
import { BASE_TEXTS, type BaseText } from './fixtures/base-texts.ts';

/** The built-in texts, every other one with a wrong answer: a bias must be able to raise a verdict as well as to lower it. */
export const BUILT_IN_CASES: readonly AuditCase[] = BASE_TEXTS.map(toCase);

function toCase({ id, question, document, right, wrong, translated }: BaseText, at: number): AuditCase {
  const is_weak = at % 2 === 1;
  const [chosen, other] = is_weak ? [wrong, right] : [right, wrong];
  const { language: _language, ...texts } = translated;
  return {
    id,
    texts: { question, document, answer: chosen, truth: right },
    options: [chosen, other],
    translated: { ...texts, truth: right },
    is_weak,
  };
}
