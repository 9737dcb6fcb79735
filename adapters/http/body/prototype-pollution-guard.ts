import type { Issue } from '../../../core/kernel/errors.ts';

const NAME = '__proto__';
/** The only two ways to write the name in JSON: letter by letter, or with a letter of it by its number. */
const SPELLINGS = [NAME, '\\u00'];
const MAX_ISSUES = 100;

/** Whether a JSON text may have such a key: else nobody needs to look. */
export const mayHoldPollutingKeys = (text: Buffer): boolean => SPELLINGS.some((spelling) => text.includes(spelling));

/**
 * Keys `__proto__` of a body that are in what was sent and not in what a schema made of it. Schemas leave out a key of this name
 * without a word, even where they keep or refuse every other one. What a schema hands on as it was sent keeps it.
 */
export function findPollutingKeys(sent: unknown, taken: unknown): Issue[] {
  const kept = new Set<object>();
  for (const { value } of objectsIn(taken, () => true)) kept.add(value);
  const issues: Issue[] = [];
  for (const { value, path } of objectsIn(sent, (value) => !kept.has(value))) {
    if (issues.length >= MAX_ISSUES) break;
    if (Object.hasOwn(value, NAME))
      issues.push({ loc: ['body', ...path, NAME], msg: 'a field cannot have this name', type: 'name_reserved' });
  }
  return issues;
}

interface Found {
  readonly value: object;
  readonly path: readonly (string | number)[];
}

/** Arrays and objects of a value for which `enter` holds, and those inside of them. */
function* objectsIn(root: unknown, enter: (value: object) => boolean): Generator<Found> {
  const open: { readonly value: unknown; readonly path: Found['path'] }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value !== 'object' || value === null || !enter(value)) continue;
    yield { value, path };
    const children: Iterable<[string | number, unknown]> = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, child] of children)
      if (typeof child === 'object' && child !== null) open.push({ value: child, path: [...path, key] });
  }
}
