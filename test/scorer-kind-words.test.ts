import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCORER_KINDS } from '../config/plugins.ts';
import { listViewFields } from '../core/scorers/kinds/scorer-kinds.ts';

const ids = SCORER_KINDS.map(({ id }) => id);
/** But for the one that is called as a kind of plugin is, which the core has to name. */
const fields = SCORER_KINDS.flatMap(listViewFields).filter((name) => name !== 'code_language');

/** Their ids as strings and as the beginning of a name, and the fields that their versions are shown in. */
const NAMED = new RegExp(
  [`['"\`](?:${ids.join('|')})['"\`]`, `\\b(?:${ids.join('|')})_scorer\\w*`, `\\b(?:${fields.join('|')})\\b`].join('|'),
  'g',
);

describe('the core', () => {
  it('names no scorer kind of the repository, nor a field of its versions: what it has to know of a kind, the plugin declares', () => {
    expect({ ids, fields: new Set(fields) }).toEqual({
      ids: ['generated', 'registered', 'finetuned'],
      fields: new Set(['generated_scorer', 'registered_scorer', 'finetuned_scorer', 'chain_poll_template']),
    });
    const sources = globSync('core/**/*.ts').filter((path) => !path.endsWith('.test.ts'));
    expect(sources.length).toBeGreaterThan(300);
    const found = sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(NAMED)].map(([name]) => `${path} names ${name}`),
    );
    expect(found).toEqual([]);
  });
});
