import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SANDBOX_SETTINGS, ForkedSandbox } from '../adapters/sandbox/forked-sandbox.ts';
import { readPresetFile } from '../config/preset-files.ts';
import type { CodeOutcome } from '../core/plugin-sdk/index.ts';
import type { Preset } from '../core/scorers/presets/preset.ts';
import { TWIN_CASES } from './fixtures/twin-cases.ts';
import { PRESETS } from './setup/built-in-kinds.ts';
import { builtInLanguages } from './setup/built-in-languages.ts';

const USE = { project_id: 'presets', scorer_id: 'presets' };
const twins = PRESETS.filter(({ definition }) => definition.language === 'python').map(
  (python) => [python, PRESETS.find(({ name }) => `${name}_python` === python.name)!] as const,
);
const inputs = TWIN_CASES.map(({ record, context }) => ({ record: JSON.stringify(record), context: JSON.stringify(context) }));
/** A message without what differs by language: the class of the error, the line, and what each calls its types. */
const plain = (outcome: CodeOutcome) =>
  outcome.kind === 'returned' ? outcome : { kind: outcome.kind, message: withoutLanguage(outcome.message) };

function withoutLanguage(message: string): string {
  if (/^(?:SyntaxError|JSONDecodeError)|is no JSON/.test(message)) return 'the text is no JSON';
  if (/^the scorer returned nan;/i.test(message)) return 'the scorer returned NaN';
  return message.replace(/^\w+: (.*) \(scorer\.\w+:.*\)$/s, '$1');
}

describe('presets in Python', () => {
  let sandbox: ForkedSandbox;
  beforeAll(() => {
    const settings = { ...DEFAULT_SANDBOX_SETTINGS, run_ms: 5_000 };
    sandbox = new ForkedSandbox({
      settings,
      languages: builtInLanguages,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
  });
  afterAll(() => sandbox.close());
  const run = ({ definition, files }: Preset) =>
    sandbox.run({ language: definition.language as string, source: readPresetFile(files!.source!) }, inputs, USE);

  it('are at least ten, each beside one of the same kind, types and requirements', () => {
    expect(twins.length).toBeGreaterThanOrEqual(10);
    const facts = ({ tags, output_type, ground_truth, required_scorers, scoreable_node_types }: Preset) => [
      ...[tags, output_type, ground_truth, required_scorers, scoreable_node_types],
    ];
    for (const [python, other] of twins) expect([python.name, facts(python)]).toEqual([python.name, facts(other)]);
  });

  it.each(twins.map(([python, other]) => [python.name, other.name, python, other] as const))(
    '%s gives what %s gives, bit for bit',
    async (_name, _other, python, other) => {
      const [given, expected] = [await run(python), await run(other)];
      for (const [at, { about }] of TWIN_CASES.entries()) {
        expect([about, plain(given[at]!)]).toStrictEqual([about, plain(expected[at]!)]);
      }
      expect(given.some(({ kind }) => kind === 'returned')).toBe(true);
    },
  );
});
