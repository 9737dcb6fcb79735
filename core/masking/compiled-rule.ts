import { AppError, type Issue } from '../kernel/errors.ts';
import type { Steps } from '../kernel/slices.ts';
import { findCreditCards } from './detectors/credit-cards.ts';
import { findEmails } from './detectors/emails.ts';
import { findIbans } from './detectors/ibans.ts';
import { findPhoneNumbers } from './detectors/phone-numbers.ts';
import { findSecretValues, type IsSecretKey, SECRET_KEYS, toSecretKeyTest } from './detectors/secret-keys.ts';
import { type MaskingKind, type MaskingRule, REPLACEMENTS } from './masking-rule.ts';
import { compilePattern } from './pattern/compile-pattern.ts';
import { findMatches } from './pattern/find-matches.ts';
import { PatternError } from './pattern/parse-pattern.ts';
import type { TextRange } from './text-range.ts';

/** A rule that is ready to be applied. */
export interface CompiledRule {
  readonly name: string;
  readonly replacement: string;
  /** Ranges in order that do not overlap. */
  find(text: string): Steps<readonly TextRange[]>;
  /** Of rules for names of keys: whether the value of a key is hidden as a whole. */
  readonly isSecret?: IsSecretKey;
}

/** Steps of all patterns of a project together: they bound what a character may cost. */
const MAX_STEPS = 1_000;

type PresetKind = Exclude<MaskingKind, 'secret_keys' | 'pattern'>;

const PRESETS: Readonly<Record<PresetKind, { readonly sign: RegExp; readonly find: (text: string) => readonly TextRange[] }>> = {
  email: { sign: /@/, find: findEmails },
  phone: { sign: /\d/, find: findPhoneNumbers },
  iban: { sign: /\d/, find: findIbans },
  credit_card: { sign: /\d/, find: findCreditCards },
};

const NONE: readonly TextRange[] = [];

/** The rules that are enabled. Throws AppError `invalid` where one cannot be applied, or where a name is taken twice. */
export function compileRules(rules: readonly MaskingRule[]): CompiledRule[] {
  const issues: Issue[] = [];
  const names = new Set<string>();
  let steps = 0;
  const compiled = rules.flatMap((rule, at): CompiledRule[] => {
    if (names.has(rule.name)) issues.push(issue(at, 'name', 'masking_rule_repeated', 'another rule has this name'));
    names.add(rule.name);
    try {
      const { made, size } = compileRule(rule);
      steps += size;
      if (steps > MAX_STEPS) throw new PatternError(`the patterns of a project take more than ${MAX_STEPS} steps together`);
      return rule.is_enabled ? [made] : [];
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      issues.push(issue(at, 'pattern', 'pattern_invalid', error.message));
      return [];
    }
  });
  if (issues.length > 0)
    throw new AppError('invalid', 'masking_rules_invalid', 'these masking rules cannot be applied', { issues });
  return compiled;
}

const issue = (at: number, field: string, type: string, msg: string): Issue => ({ loc: ['body', 'rules', at, field], msg, type });

function compileRule(rule: MaskingRule): { readonly made: CompiledRule; readonly size: number } {
  const { name, kind } = rule;
  const facts = { name, replacement: rule.replacement ?? REPLACEMENTS[kind] };
  if (kind === 'pattern') return compileOwn(rule, facts);
  if (kind === 'secret_keys') {
    const isSecret = toSecretKeyTest(rule.keys ?? SECRET_KEYS);
    return { made: { ...facts, isSecret, find: inOneStep(/[:=]/, (text) => findSecretValues(text, isSecret)) }, size: 0 };
  }
  const { sign, find } = PRESETS[kind];
  return { made: { ...facts, find: inOneStep(sign, find) }, size: 0 };
}

function compileOwn({ pattern, ignore_case }: MaskingRule, facts: Pick<CompiledRule, 'name' | 'replacement'>) {
  if (pattern === null) throw new PatternError('a rule of this kind has a pattern');
  const program = compilePattern(pattern, ignore_case);
  return { made: { ...facts, find: (text: string) => findMatches(program, text) }, size: program.instructions.length };
}

/** Few texts hold the character that all of a kind have, and none that does not is looked at twice. */
const inOneStep = (sign: RegExp, find: (text: string) => readonly TextRange[]) =>
  // biome-ignore lint/correctness/useYield: presets take too little time to be interrupted
  function* (text: string): Steps<readonly TextRange[]> {
    return sign.test(text) ? find(text) : NONE;
  };
