import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  type DefinitionUpload,
  OutputType,
  PluginError,
  type ScorerAutogen,
  type ScorerKindPlugin,
  type ScorerPreset,
  type ScorerTrial,
  type ScorerView,
  type SentDefinition,
  type ShownVersion,
  type UploadHost,
  z,
} from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectSame } from '../check.ts';
import type { ScorerKindCase, ScorerStage } from './scorer-stage.ts';

const PRESET_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
/** Fields that versions of all kinds have, and the word that presets have in the place of a kind. */
const RESERVED_FIELDS = ['id', 'version', 'scorer_id', 'model_name', 'num_judges', 'scoreable_node_types', 'cot_enabled'].concat([
  'output_type',
  'input_type',
  'definition',
  'created_at',
  'updated_at',
  'allowed_model',
]);
const RESERVED_WORD = 'preset';
const VERSION: ShownVersion = {
  id: '0190a6a0-0000-7000-8000-000000000001',
  name: 'mine',
  is_preset: false,
  scoreable_node_types: ['trace'],
  multimodal_capabilities: [],
  created_by: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
const FACTS = { output_type: 'boolean', input_type: 'basic', ground_truth: false, user_prompt: 'Is it good?', defaults: {} };
const WISH = {
  instructions: 'Is it polite?',
  model_name: 'fake-1',
  output_type: 'boolean',
  cot_enabled: false,
  scoreable_node_types: ['trace'],
} as const;

/** Checks of a kind's declarations about its versions, beside how it judges. */
export function scorerDeclarationChecks<D extends z.ZodType>(given: ScorerKindCase<D>, stage: ScorerStage): Check[] {
  const { plugin, definition } = given;
  const parsed = (): z.output<D> => plugin.definition.parse(definition);
  const { view, trial, presets, upload, autogen, complete, refusal, run_settings } = plugin as ScorerKindPlugin;
  return [
    check('has names and paths that can be its own', () => expectNames(plugin as ScorerKindPlugin)),
    ...(view ? viewChecks(view as ScorerView, parsed) : []),
    ...(trial ? trialChecks(trial, given) : []),
    ...(presets ? [check('brings presets that it takes itself', () => expectPresets(plugin as ScorerKindPlugin, presets))] : []),
    ...(upload ? [check('reads its definition from the text that it gives of it', () => expectUpload(upload, given))] : []),
    ...(autogen ? [check('has a model write what it takes itself', () => expectAutogen(autogen, given))] : []),
    ...(complete
      ? [
          check('completes a definition, and leaves what was sent as it is', () => {
            const sent = plain(definition);
            const facts = structuredClone(FACTS);
            const completed = complete.call(plugin, sent, facts);
            assert.partialDeepStrictEqual(plain(completed), plain(definition));
            expectSame([sent, facts], [definition, FACTS]);
            expectSame(complete.call(plugin, completed, facts), completed);
          }),
        ]
      : []),
    ...(refusal
      ? [
          check('refuses nothing that it judges', async () => {
            expectSame([await refusal.call(plugin, stage.kit, parsed())], [undefined]);
          }),
        ]
      : []),
    ...(run_settings
      ? [
          check('heeds the settings that it names', () => {
            const { properties = {} } = z.toJSONSchema(plugin.definition, { io: 'input' });
            expectSame(
              run_settings.filter((name) => name !== 'output_type' && !Object.hasOwn(properties, name)),
              [],
            );
          }),
        ]
      : []),
  ];
}

const plain = (value: unknown): SentDefinition => JSON.parse(JSON.stringify(value));

function expectNames({ id, aliases = [], former_paths = [] }: ScorerKindPlugin): void {
  for (const words of [aliases, former_paths]) {
    assert.equal(new Set(words).size, words.length, `${words.join(', ')}: one is named twice`);
    assert.ok(!words.includes(RESERVED_WORD), `"${RESERVED_WORD}" is reserved for scorers that exist from the first start`);
  }
  assert.ok(!aliases.includes(id), `"${id}" is its id, and no alias`);
}

function viewChecks(view: ScorerView, parsed: () => unknown): Check[] {
  const show = (version: Partial<ShownVersion> = {}) => view.show(parsed() as never, { ...VERSION, ...version });
  return [
    check('shows its versions as it declares', () => {
      for (const is_preset of [false, true]) expectShown(view, show({ is_preset }), is_preset);
    }),
    check('shows a version the same way each time, and changes nothing', () => {
      const definition: unknown = parsed();
      const version = structuredClone(VERSION);
      const before = structuredClone({ definition, version });
      const read = () => plain(view.show(definition as never, version));
      expectSame(read(), read());
      expectSame({ definition, version }, before);
    }),
    check('shows a version for what it is, whoever it is of', () => {
      show();
      const shown = JSON.stringify(show({ id: 'other-id', name: 'other-name' }));
      assert.ok(!shown.includes(VERSION.id), 'it shows the id of another version');
    }),
  ];
}

function expectShown({ fields }: ScorerView, shown: unknown, is_preset: boolean): void {
  assert.ok(typeof shown === 'object' && shown !== null && !Array.isArray(shown), 'what is shown is to be an object');
  assert.deepEqual(JSON.parse(JSON.stringify(shown)), shown, 'what is shown is to be the same in JSON');
  if (!fields) return;
  const [short, full] = [Object.keys(fields.short.shape), Object.keys(fields.full.shape)];
  expectSame(
    [...short, ...full].filter((name) => RESERVED_FIELDS.includes(name)),
    [],
  );
  expectSame(
    Object.keys(shown).filter((name) => !full.includes(name)),
    [],
  );
  for (const form of [fields.short, fields.full])
    for (const [name, schema] of Object.entries(form.shape)) {
      const value = (shown as Record<string, unknown>)[name] ?? null;
      if (value !== null) z.parse(schema as z.ZodType, value);
      else assert.ok(is_preset, `"${name}" of a version that is no preset is to be shown`);
    }
}

function trialChecks<D extends z.ZodType>(trial: ScorerTrial, { plugin, definition, trialBody }: ScorerKindCase<D>): Check[] {
  const read = trial.read?.bind(trial);
  return [
    check('declares a trial that can be made', () => {
      assert.equal(new Set(trial.on).size, trial.on.length, 'something to try it on is named twice');
      if (trial.task_field !== undefined) assert.match(trial.task_field, /^[a-z][a-z0-9_]*$/);
      if (!trial.body || !read) return;
      assert.ok(trialBody !== undefined, 'give "trialBody": a body that the kind reads');
      const body = trial.body.parse(trialBody);
      const before = structuredClone(body);
      const tried = read(body);
      expectSame(body, before);
      plugin.definition.parse(tried.definition);
      expectSame(read(body), tried);
    }),
    check('reads bodies that say little, without failing', () => {
      const bodies: unknown[] = [
        {},
        ...Object.keys(trial.body?.shape ?? {}).flatMap((name) => [{ [name]: null }, { [name]: '' }]),
      ];
      for (const body of bodies) {
        const { data } = trial.body?.safeParse(body) ?? {};
        if (!data || !read) continue;
        const tried = wholeOrRefused(() => read(data), body);
        if (tried) assert.ok(typeof tried.definition === 'object', `${JSON.stringify(body)} is to be read as a definition`);
      }
      assert.ok(plugin.definition.safeParse(definition).success);
    }),
  ];
}

/** Returns the result of a call; undefined where it throws a PluginError, as it may. */
function wholeOrRefused<T>(call: () => T, of: unknown): T | undefined {
  try {
    return call();
  } catch (error) {
    if (error instanceof PluginError) return undefined;
    return assert.fail(`failed on ${JSON.stringify(of)?.slice(0, 100)}: ${error}`);
  }
}

function expectPresets(plugin: ScorerKindPlugin, presets: readonly ScorerPreset[]): void {
  for (const field of ['name', 'label'] as const) {
    const words = presets.map((preset) => preset[field]);
    assert.equal(new Set(words).size, words.length, `two presets have the same ${field}`);
  }
  for (const { name, label, description, definition, files = {}, output_type, scoreable_node_types } of presets) {
    assert.match(name, PRESET_NAME, `"${name}" is not lower_snake_case`);
    assert.match(label, /\S/, `${name} has no label`);
    assert.match(description, /^\S.*\.$/s, `${name}: the description is to be a sentence`);
    assert.ok(OutputType.safeParse(output_type).success, `${name} gives "${output_type}", which is no type of score`);
    assert.ok(scoreable_node_types.length > 0, `${name} judges no type of record`);
    const texts = Object.entries(files).map(([field, file]) => [field, readFileSync(file, 'utf8')]);
    const { error } = plugin.definition.safeParse({ ...definition, ...Object.fromEntries(texts) });
    assert.equal(error, undefined, `${name}: ${error && z.prettifyError(error)}`);
  }
}

/** As people send files: those that it has written itself, and those that are none. */
function expectUpload<D extends z.ZodType>(upload: DefinitionUpload, given: ScorerKindCase<D>): void {
  const { plugin, definition, upload: { filename = 'definition.txt', fields = {} } = {} } = given;
  const parsed = plugin.definition.parse(definition);
  // Whatever the file is called, it is in the language of the definition.
  const host: UploadHost = { selectLanguage: (_file, named) => named || String(Object(parsed).language ?? 'any') };
  const text = upload.text(parsed);
  assert.equal(typeof text, 'string');
  const bytes = new TextEncoder().encode(text);
  const before = bytes.slice();
  expectSame(plugin.definition.parse(upload.read({ filename, bytes }, fields, host)), parsed);
  assert.deepEqual(bytes, before, 'the bytes of the file are not to be changed');
  for (const strange of [new Uint8Array(), new Uint8Array([0, 255, 254, 0]), new TextEncoder().encode('\u0000 \n'.repeat(1000))])
    for (const named of ['', filename, '../x', 'x'.repeat(1000)]) {
      const read = wholeOrRefused(() => upload.read({ filename: named, bytes: strange }, {}, host), named);
      assert.ok(
        read === undefined || typeof read === 'object',
        'a file is to be read as a definition, or refused by a PluginError',
      );
    }
}

function expectAutogen<D extends z.ZodType>(autogen: ScorerAutogen, { plugin, written }: ScorerKindCase<D>): void {
  const question = autogen.question(structuredClone(WISH));
  expectSame(autogen.question(structuredClone(WISH)), question);
  expectSame(JSON.parse(JSON.stringify(question)), question);
  assert.equal(question.messages.at(-1)?.role, 'user');
  assert.ok(JSON.stringify(question).includes(WISH.instructions), 'what is to be judged is to stand in the question');
  assert.ok(written !== undefined, 'give "written": what a model answers');
  const read = autogen.read(written, structuredClone(WISH));
  if (typeof read === 'string') assert.fail(`the answer was not read: ${read}`);
  plugin.definition.parse(read.definition);
  expectSame(JSON.parse(JSON.stringify(read.shown)), read.shown);
  for (const answer of ['', 'Sorry.', '{', '[]', 'null', '{}', '3'])
    assert.equal(typeof autogen.read(answer, structuredClone(WISH)), 'string', `the answer ${answer} is to be refused in words`);
}
