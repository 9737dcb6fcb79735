import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Files that are pages, and folders whose Markdown is. `*` stands for every folder there. */
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'demo/README.md',
  'docs/',
  'docs/adr/',
  'plugins/*/*/',
  'clients/*/',
];

/** Parts of the list at the side, in this order. Pages that no part names stand in the last one. */
const PARTS = [
  ['Begin', ['README.md', 'docs/clients.md', 'docs/opentelemetry.md', 'docs/cli.md', 'docs/mcp.md', 'docs/moving.md']],
  ['Judge', ['docs/scorers.md', 'docs/scoring.md', 'docs/judges.md', 'docs/ratings.md', 'docs/health.md', 'docs/experiments.md']],
  ['Look', ['docs/trends.md', 'docs/files.md', 'docs/masking.md']],
  ['Run', ['docs/operations.md', 'docs/kubernetes.md', 'docs/access.md', 'docs/integrations.md', 'docs/errors.md']],
  ['Extend', ['docs/plugins.md', 'docs/testing.md', 'docs/architecture.md', 'CONTRIBUTING.md', 'docs/console-design.md']],
];
const LAST_PARTS = [
  ['Plugins and clients', /^(plugins|clients|demo)\//],
  ['Decisions', /^docs\/adr\//],
];
const REST = 'More';

/** The pages with their texts, in the order of the list. */
export function readPages() {
  const paths = PAGES.flatMap((entry) => (entry.endsWith('/') ? toFolders(entry.slice(0, -1)).flatMap(listMarkdown) : [entry]));
  const pages = paths.map((path) => toPage(path, readFileSync(join(ROOT, path), 'utf8')));
  const order = [...PARTS.map(([name]) => name), REST, ...LAST_PARTS.map(([name]) => name)];
  return pages.sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part) || a.place - b.place || (a.path < b.path ? -1 : 1));
}

function toFolders(pattern) {
  let folders = [''];
  for (const part of pattern.split('/')) {
    folders = folders.flatMap((folder) => (part === '*' ? listFolders(folder) : [part]).map((name) => posix.join(folder, name)));
  }
  return folders;
}

const listFolders = (folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const listMarkdown = (folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

function toPage(path, text) {
  const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path;
  const found = PARTS.find(([, paths]) => paths.includes(path));
  const part = found?.[0] ?? LAST_PARTS.find(([, form]) => form.test(path))?.[0] ?? REST;
  return { path, text, title, part, place: found?.[1].indexOf(path) ?? 0, address: toAddress(path) };
}

/** `docs/` is the root of the site, and a README the page of its folder. */
function toAddress(path) {
  if (path === 'README.md') return 'index.html';
  return path
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '.md')
    .replace(/\.md$/, '.html')
    .toLowerCase();
}

/**
 * Where a link of a page leads: to a page, a picture, a file of the repository that the site does not hold, outside, or nowhere.
 */
export function resolveLink(link, from, pages) {
  if (/^([a-z]+:|#|$)/i.test(link)) return link.startsWith('#') ? { page: from, anchor: link.slice(1) } : { outside: link };
  const [file, anchor = ''] = link.split('#');
  const path = posix.normalize(posix.join(dirname(from.path), decodeURIComponent(file))).replace(/\/$/, '');
  const page = pages.find((one) => one.path === path || one.path === `${path}/README.md`);
  if (page) return { page, anchor };
  if (path.startsWith('..') || !existsSync(join(ROOT, path))) return { file: path, isDead: true };
  return /\.(png|jpe?g|svg)$/i.test(path) ? { picture: path } : { file: path };
}

/** Address of `to` as `from` writes it: relative, so that the site may be served under any path. */
export const relativeTo = (from, to) => posix.relative(dirname(from) === '.' ? '' : dirname(from), to) || posix.basename(to);
