import type { MaskingKind, MaskingRule } from '../../core/masking/masking-rule.ts';

/** Findings of each kind of rule in words, with the word that takes their place. */
export const KINDS: Readonly<Record<MaskingKind, { readonly label: string; readonly replacement: string }>> = {
  email: { label: 'E-mail addresses', replacement: '[EMAIL]' },
  phone: { label: 'Phone numbers', replacement: '[PHONE]' },
  iban: { label: 'Bank accounts (IBAN)', replacement: '[IBAN]' },
  credit_card: { label: 'Credit cards', replacement: '[CARD]' },
  secret_keys: { label: 'Secrets by their names', replacement: '[SECRET]' },
  pattern: { label: 'Pattern', replacement: '[MASKED]' },
};

/** Kinds that need nothing but to be chosen. */
export const PRESETS = (Object.keys(KINDS) as MaskingKind[]).filter((kind) => kind !== 'pattern');

/** A rule as it begins. */
export const newRule = (name: string, kind: MaskingKind, more: Partial<MaskingRule> = {}): MaskingRule => ({
  ...{ name, kind, keys: null, pattern: null, ignore_case: false, replacement: null, is_enabled: true },
  ...more,
});

/** The name, or the name with the first number that no rule has. */
export function freeName(wanted: string, rules: readonly Pick<MaskingRule, 'name'>[]): string {
  const taken = new Set(rules.map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
}
