import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** Built once, as for a static host, into a folder that holds something already. */
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-guide-'));
  writeFileSync(join(folder, 'CNAME'), 'docs.example.org');
  await run(process.execPath, ['guide/build.js', '--strict', folder]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const listPages = () => globSync('**/*.html', { cwd: folder });
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

describe('the built documentation', () => {
  it('has a page for every document and every decision', () => {
    const documents = globSync('docs/{*,adr/*}.md').map((path) => path.replace(/^docs\//, '').replace(/\.md$/, '.html'));
    expect(documents.length).toBeGreaterThan(80);
    expect(documents.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
    for (const path of ['index.html', 'contributing.html', 'changelog.html', 'plugins/model-providers/openai.html'])
      expect(existsSync(join(folder, path)), path).toBe(true);
    expect(read('CNAME')).toBe('docs.example.org');
  });

  it('leads nowhere but to what is there: pages, headings, pictures', () => {
    const ids = new Map(
      listPages().map((path) => [path, new Set([...read(path).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))]),
    );
    const dead: string[] = [];
    for (const path of listPages()) {
      for (const [, link] of read(path).matchAll(/ (?:href|src|data-index)="([^"]*)"/g)) {
        if (/^(https?|mailto):/.test(link!)) continue;
        const [file = '', anchor] = link!.split('#');
        const target = file === '' ? path : posix.normalize(posix.join(dirname(path), decodeURIComponent(file)));
        const isThere =
          existsSync(join(folder, target)) && (anchor === undefined || ids.get(target)?.has(decodeURIComponent(anchor)));
        if (!isThere) dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
    expect(globSync('pictures/*', { cwd: folder }).length).toBeGreaterThan(10);
  });

  it('holds nothing that a content security policy would refuse, and nothing from elsewhere', () => {
    const refused = listPages().flatMap((path) => {
      const page = read(path);
      const found = page.match(
        /<script(?![^>]* src=)[^>]*>|<style| style="| on\w+="|(?: src|<link[^>]* href)="(?:https?:)?\/\/[^"]*/gi,
      );
      return found ? [`${path}: ${found[0]}`] : [];
    });
    expect(refused).toEqual([]);
  });

  it('has an index that finds sections by their words', () => {
    const fields = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'address', 'shown'] };
    const index = MiniSearch.loadJSON(read('assets/search.json'), fields);
    const [first] = index.search('provisioning scim', { boost: { title: 4 }, combineWith: 'AND' });
    expect(first).toMatchObject({ page: 'Access, for those who run the service', address: 'access.html#provisioning-by-scim' });
  });
});

describe('a link that leads nowhere', () => {
  // The sources are plain JavaScript that any Node can read.
  const sources = async () => await import('../../guide/sources.js' as string);

  it.each(['gone.md', '../gone.md', '../../../outside.md', 'adr/gone.png'])('is found: %s', async (link) => {
    const { resolveLink } = await sources();
    expect(resolveLink(link, { path: 'docs/access.md' }, [])).toMatchObject({ isDead: true });
  });

  it('is found by its heading, too', async () => {
    const { findDeadLinks } = await import('../../guide/markdown.js' as string);
    const target = { path: 'docs/b.md', anchors: new Set(['there']), dead: [], links: [] };
    const links = [
      { page: target, anchor: 'there' },
      { page: target, anchor: 'gone' },
      { page: target, anchor: '' },
    ];
    expect(findDeadLinks([target, { path: 'docs/a.md', dead: ['docs/a.md: x'], links, anchors: new Set() }])).toEqual([
      'docs/a.md: x',
      'docs/a.md: docs/b.md has no heading #gone',
    ]);
  });
});
