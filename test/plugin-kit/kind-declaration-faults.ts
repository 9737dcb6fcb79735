import { PluginError, type ScorerPreset, type ScorerView, z } from '../../core/plugin-sdk/index.ts';
import type { sampleKind } from '../../plugin-kit/templates/scorer_kind/index.ts';
import { type Definition, type KindCase, withHead } from './planted-kind.ts';
import type { PlantedFault } from './planted-provider.ts';

const HEAD = 'has a well-formed head and is frozen';
const NAMES = 'has names and paths that can be its own';
const SHOWN = 'shows its versions as it declares';
const SAME = 'shows a version the same way each time, and changes nothing';
const WHOSE = 'shows a version for what it is, whoever it is of';
const TRIAL = 'declares a trial that can be made';
const LITTLE = 'reads bodies that say little, without failing';
const PRESETS = 'brings presets that it takes itself';
const FILE = 'reads its definition from the text that it gives of it';
const WRITTEN = 'has a model write what it takes itself';
const COMPLETES = 'completes a definition, and leaves what was sent as it is';
const REFUSES = 'refuses nothing that it judges';
const SETTINGS = 'heeds the settings that it names';

type View = ScorerView<typeof sampleKind.definition>;
type Show = View['show'];
type Head = Parameters<typeof withHead>[0];

const Shown = z.object({ id: z.string(), words: z.int() });
const fields = { short: z.object({ sample: Shown }), full: z.object({ sample: Shown.extend({ made: z.string() }) }) };
const show: Show = ({ max_words }, { id, created_at, is_preset }) =>
  is_preset ? {} : { sample: { id, words: max_words, made: created_at } };
const preset: ScorerPreset = {
  name: 'few_words_at_most',
  label: 'Few words',
  description: 'Says whether there are at most ten words.',
  tags: [],
  definition: { max_words: 10 },
  output_type: 'boolean',
  input_type: null,
  scoreable_node_types: ['trace'],
  ground_truth: false,
  required_scorers: null,
};
const body = z.looseObject({ words: z.int().nullish() });
const readTrial = ({ words }: z.output<typeof body>) => ({ definition: { max_words: words ?? 1 } });
const upload: NonNullable<Head['upload']> = {
  read({ bytes }) {
    const words = Number.parseInt(new TextDecoder().decode(bytes), 10);
    if (Number.isNaN(words)) throw new PluginError('unsupported', 'the file is no number');
    return { max_words: words };
  },
  text: ({ max_words }) => String(max_words),
};
const autogen: NonNullable<Head['autogen']> = {
  question: ({ instructions }) => ({ messages: [{ role: 'user', content: instructions }], max_tokens: 10 }),
  read(text) {
    const words = Number.parseInt(text, 10);
    if (!(words > 3)) return 'it is no number above three';
    return { definition: { max_words: words }, shown: { max_words: words } };
  },
};
const complete: NonNullable<Head['complete']> = (sent) => ({ max_words: 5, ...sent });

const whole: Head = {
  aliases: ['words'],
  former_paths: ['words'],
  view: { fields, show },
  trial: { on: ['samples'], body, read: readTrial, task_field: 'task_result_id' } as NonNullable<Head['trial']>,
  presets: [preset],
  upload,
  autogen,
  complete,
  refusal: async () => undefined,
};
/** The sample with all that a kind may declare, and something of it otherwise. */
const declaring = (head: Head = {}, more: Partial<KindCase> = {}): KindCase => ({
  ...withHead({ ...whole, ...head }),
  trialBody: { words: 3 },
  written: '4',
  ...more,
});
const viewing = (other: Show, declared: View['fields'] = fields): KindCase =>
  declaring({ view: { fields: declared, show: other } as View });
const trying = (read: (given: z.output<typeof body>) => unknown): KindCase =>
  declaring({ trial: { on: ['samples'], body, read } as unknown as NonNullable<Head['trial']> });
const bringing = (...presets: readonly object[]): KindCase =>
  declaring({ presets: presets.map((changed) => ({ ...preset, ...changed })) });
const always =
  <T>(value: T) =>
  () =>
    value;
let count = 0;

export const declaringKind = declaring();

/** In what a kind declares of its versions. */
export const declarationFaults: readonly PlantedFault<KindCase>[] = [
  { what: 'takes the word of presets for its path', found: NAMES, make: () => declaring({ former_paths: ['preset'] }) },
  { what: 'takes the word of presets for its type', found: NAMES, make: () => declaring({ aliases: ['preset'] }) },
  { what: 'names an alias twice', found: NAMES, make: () => declaring({ aliases: ['words', 'words'] }) },
  { what: 'has a path that is no word', found: HEAD, make: () => declaring({ former_paths: ['a/b'] }) },
  { what: 'has a view that shows nothing', found: HEAD, make: () => declaring({ view: {} as never }) },
  {
    what: 'shows in lists what it does not show of one version',
    found: HEAD,
    make: () => viewing(show, { ...fields, full: z.object({ other: Shown }) }),
  },
  { what: 'shows another shape than it declares', found: SHOWN, make: () => viewing(always({ sample: { id: 1 } })) },
  { what: 'shows fields that it does not declare', found: SHOWN, make: () => viewing((...of) => ({ ...show(...of), more: 1 })) },
  {
    what: 'shows a field that all versions have',
    found: SHOWN,
    make: () => {
      const taken = z.object({ model_name: z.string() });
      return viewing(always({ model_name: 'x' }), { short: taken, full: taken });
    },
  },
  { what: 'shows nothing of a version', found: SHOWN, make: () => viewing(always({})) },
  {
    what: 'fails to show a preset',
    found: SHOWN,
    make: () =>
      viewing((...of) => {
        if (of[1].is_preset) throw new TypeError('not thought of');
        return show(...of);
      }),
  },
  { what: 'shows what JSON cannot hold', found: SHOWN, make: () => declaring({ view: { show: always({ at: new Date(0) }) } }) },
  { what: 'shows a list in place of an object', found: SHOWN, make: () => declaring({ view: { show: always([]) as never } }) },
  {
    what: 'shows something else each time',
    found: SAME,
    make: () => declaring({ view: { show: () => ({ count: count++ }) } }),
  },
  {
    what: 'changes the definition that it shows',
    found: SAME,
    make: () =>
      declaring({
        view: {
          show: (definition) => {
            (definition as Definition).max_words += 1;
            return {};
          },
        },
      }),
  },
  {
    what: 'shows the version that it was asked for first',
    found: WHOSE,
    make: () => {
      let first: ReturnType<Show> | undefined;
      return viewing((definition, version) => {
        first ??= show(definition, version);
        return first;
      });
    },
  },
  {
    what: 'is tried on the same twice',
    found: TRIAL,
    make: () => declaring({ trial: { on: ['samples', 'samples'] } }),
  },
  { what: 'is tried on what there is not', found: HEAD, make: () => declaring({ trial: { on: ['moon' as never] } }) },
  { what: 'has a body of trials that nobody reads', found: HEAD, make: () => declaring({ trial: { on: ['samples'], body } }) },
  { what: 'reads a definition that it refuses', found: TRIAL, make: () => trying(always({ definition: { max_words: 0 } })) },
  {
    what: 'changes the body of a trial',
    found: TRIAL,
    make: () =>
      trying((given) => {
        const read = readTrial(given);
        given.words = null;
        return read;
      }),
  },
  {
    what: 'fails on a body without what it needs',
    found: LITTLE,
    make: () => trying((given) => ({ definition: { max_words: given.words!.valueOf() } })),
  },
  { what: 'brings a preset that it refuses', found: PRESETS, make: () => bringing({ definition: { max_words: 0 } }) },
  { what: 'brings two presets of one name', found: PRESETS, make: () => bringing({}, { label: 'Other' }) },
  { what: 'brings two presets of one label', found: PRESETS, make: () => bringing({}, { name: 'other' }) },
  { what: 'brings a preset with a name for people', found: PRESETS, make: () => bringing({ name: 'Few Words' }) },
  {
    what: 'brings a preset with a type of score that there is not',
    found: PRESETS,
    make: () => bringing({ output_type: 'yes' }),
  },
  { what: 'brings a preset that judges nothing', found: PRESETS, make: () => bringing({ scoreable_node_types: [] }) },
  {
    what: 'brings a preset whose file is missing',
    found: PRESETS,
    make: () => bringing({ files: { max_words: new URL('file:///no/such/file') } }),
  },
  { what: 'gives another text than it reads', found: FILE, make: () => declaring({ upload: { ...upload, text: always('7') } }) },
  {
    what: 'fails on a file that is none',
    found: FILE,
    make: () =>
      declaring({
        upload: {
          ...upload,
          read: ({ bytes }) => ({ max_words: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }),
        },
      }),
  },
  {
    what: 'changes the bytes of a file',
    found: FILE,
    make: () =>
      declaring({
        upload: {
          ...upload,
          read: (file, given, host) => {
            const read = upload.read(file, given, host);
            file.bytes.fill(0);
            return read;
          },
        },
      }),
  },
  {
    what: 'does not say to the model what is to be judged',
    found: WRITTEN,
    make: () => declaring({ autogen: { ...autogen, question: always({ messages: [{ role: 'user', content: 'Write.' }] }) } }),
  },
  {
    what: 'has a model write what it refuses',
    found: WRITTEN,
    make: () => declaring({ autogen: { ...autogen, read: always({ definition: {}, shown: {} }) } }),
  },
  {
    what: 'fails on an answer that it cannot read',
    found: WRITTEN,
    make: () =>
      declaring({ autogen: { ...autogen, read: (text) => ({ definition: { max_words: JSON.parse(text) }, shown: {} }) } }),
  },
  {
    what: 'puts something else in the place of what was sent',
    found: COMPLETES,
    make: () => declaring({ complete: (sent) => ({ ...sent, max_words: 5 }) }),
  },
  {
    what: 'completes a definition in place',
    found: COMPLETES,
    make: () => declaring({ complete: (sent) => Object.assign(sent, { more: 1 }) }),
  },
  { what: 'refuses what it judges', found: REFUSES, make: () => declaring({ refusal: async () => 'too few words' }) },
  { what: 'refuses by an empty reason', found: REFUSES, make: () => declaring({ refusal: async () => '' }) },
  { what: 'names a setting that it has no field for', found: SETTINGS, make: () => declaring({ run_settings: ['model_name'] }) },
];
