/** Filters of the list; presets stand apart, there are many of them. */
export const KINDS = [
  { key: 'own', label: 'Own' },
  { key: 'code', label: 'Code' },
  { key: 'llm', label: 'Judges' },
  { key: 'finetuned', label: 'Fine-tuned' },
  { key: 'preset', label: 'Presets' },
] as const;

interface Wanted {
  readonly kind: string;
  readonly name: string;
  readonly tag: string;
}

/** Filters of `POST /scorers/list`. */
export function toScorerFilters({ kind, name, tag }: Wanted): object[] {
  const isKnown = KINDS.some(({ key }) => key === kind && key !== 'own');
  return [
    isKnown ? { name: 'scorer_type', operator: 'eq', value: kind } : { name: 'scorer_type', operator: 'ne', value: 'preset' },
    ...(name === '' ? [] : [{ name: 'name', operator: 'contains', value: name, case_sensitive: false }]),
    ...(tag === '' ? [] : [{ name: 'tags', operator: 'contains', value: [tag] }]),
  ];
}
