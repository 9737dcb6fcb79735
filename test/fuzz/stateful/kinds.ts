import * as fc from 'fast-check';
import type { Reply } from '../../http/harness.ts';
import { toPages } from './pages.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** Sends JSON, or a form, as the one caller of a run. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>;

/** Operations of a kind of objects: make, read, change, list and delete. */
export interface Kind {
  /** The kind of the object that these lie in. */
  readonly within?: string;
  path(parent: string | undefined): string;
  /** The field that names it. */
  readonly named: 'name' | 'description';
  /** Result of making one of a name that is taken: the existing one, a refusal, another name, or nothing special. */
  readonly taken: 'exists' | 'refused' | 'suffixed' | 'free';
  /** Sent beside the name, and there afterwards. */
  readonly facts: fc.Arbitrary<Fields>;
  /** Sent beside the name, and not read back. */
  readonly also?: Fields;
  readonly toBody?: (fields: Fields) => unknown;
  readonly change?: { readonly method: 'PUT' | 'PATCH'; readonly facts: fc.Arbitrary<Fields> };
  /** Everything of the kind in the parent. */
  list(ask: Ask, parent: string | undefined): Promise<readonly Fields[]>;
  /** Where it has no path of its own to be read by. */
  readonly isOnlyListed?: true;
  readonly content?: Content;
}

/** Texts that an object holds in order: rows, or versions. */
export interface Content {
  /** Initial contents of one. */
  readonly first: readonly string[];
  add(ask: Ask, path: string, text: string): Promise<Reply>;
  read(ask: Ask, path: string): Promise<readonly string[]>;
}

const text = fc.constantFrom('', 'x', 'É "\' \\', '😀 {{input}}', 'null', '0', ' two  words ', '<b>%_</b>');
const none = fc.constant({});
const toList =
  (path: string, key: string, method = 'GET') =>
  (ask: Ask) =>
    toPages(ask, method, path, key);
const whole = async (ask: Ask, path: string): Promise<Fields[]> => (await ask('GET', path)).body;

function toForm(fields: Readonly<Record<string, string>>, filename: string, content: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([content]), filename);
  return form;
}

const rows: Content = {
  first: ['first'],
  add: (ask, path, value) => ask('PATCH', `${path}/content`, { edits: [{ edit_type: 'append_row', values: { input: value } }] }),
  read: async (ask, path) => {
    const found = await toPages(ask, 'GET', `${path}/content`, 'rows');
    return found.map(({ values_dict }) => String((values_dict as Fields).input));
  },
};

const programs: Content = {
  first: [],
  add: (ask, path, value) =>
    ask('POST', `${path}/version/code`, toForm({}, 'one.js', `function scorer() { return ${value.length}; }`)),
  read: async (ask, path) => {
    const found = await toPages(ask, 'GET', `${path}/versions`, 'versions');
    return found.map(({ version }) => String(version));
  },
};

const prompts: Content = {
  first: ['hello'],
  add: (ask, path, value) => ask('POST', `${path}/versions`, { template: value }),
  read: async (ask, path) => {
    const { total_versions } = (await ask('GET', path)).body;
    const versions = await Promise.all(
      Array.from({ length: total_versions }, (_, at) => ask('GET', `${path}/versions/${at + 1}`)),
    );
    return versions.map(({ body }) => body.template);
  },
};

const visibility = fc.constantFrom('public', 'private', 'hidden', 'protected');

export const KINDS: Readonly<Record<string, Kind>> = {
  project: {
    path: () => '/v2/projects',
    named: 'name',
    taken: 'exists',
    facts: none,
    change: { method: 'PUT', facts: fc.record({ labels: fc.array(fc.constantFrom('l', 'É'), { maxLength: 2 }) }) },
    list: (ask) => whole(ask, '/v2/projects'),
  },
  log_stream: {
    within: 'project',
    path: (parent) => `/v2/projects/${parent}/log_streams`,
    named: 'name',
    taken: 'exists',
    facts: none,
    change: { method: 'PUT', facts: none },
    list: (ask, parent) => toPages(ask, 'GET', `/v2/projects/${parent}/log_streams/paginated`, 'log_streams'),
  },
  experiment: {
    within: 'project',
    path: (parent) => `/v2/projects/${parent}/experiments`,
    named: 'name',
    taken: 'suffixed',
    facts: none,
    change: { method: 'PUT', facts: none },
    list: (ask, parent) => whole(ask, `/v2/projects/${parent}/experiments`),
  },
  dataset: {
    path: () => '/v2/datasets',
    named: 'name',
    taken: 'refused',
    facts: none,
    toBody: ({ name }) => toForm({ name: String(name) }, 'rows.jsonl', '{"input":"first"}\n'),
    change: { method: 'PATCH', facts: none },
    list: toList('/v2/datasets/query', 'datasets', 'POST'),
    content: rows,
  },
  scorer: {
    path: () => '/v2/scorers',
    named: 'name',
    taken: 'refused',
    facts: fc.record({ scorer_type: fc.constant('code'), description: text, tags: fc.subarray(['t', 'É']) }),
    change: { method: 'PATCH', facts: fc.record({ description: text }) },
    list: toList('/v2/scorers/list', 'scorers', 'POST'),
    content: programs,
  },
  group: {
    path: () => '/v2/groups',
    named: 'name',
    taken: 'refused',
    facts: fc.record({ description: text, visibility }),
    change: { method: 'PATCH', facts: fc.record({ description: text, visibility }) },
    list: toList('/v2/groups', 'groups'),
  },
  api_key: {
    path: () => '/v2/users/api_keys',
    named: 'description',
    taken: 'free',
    facts: fc.record({ max_role: fc.constantFrom(null, 'owner', 'editor', 'annotator', 'viewer') }),
    list: async (ask) => {
      const { id } = (await ask('GET', '/v2/current_user')).body;
      return toPages(ask, 'GET', `/v2/users/${id}/api_keys`, 'api_keys');
    },
    isOnlyListed: true,
  },
  template: {
    path: () => '/v2/templates',
    named: 'name',
    taken: 'refused',
    facts: none,
    also: { template: 'hello' },
    change: { method: 'PATCH', facts: none },
    list: toList('/v2/templates/query', 'templates', 'POST'),
    content: prompts,
  },
};
