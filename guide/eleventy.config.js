import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import MiniSearch from 'minisearch';
import { toHtml } from './layout.js';
import { extendMarkdown, findDeadLinks } from './markdown.js';
import { SEARCH_OPTIONS, toSections } from './sections.js';
import { ROOT, readPages } from './sources.js';

const ASSETS = ['icon.svg', 'guide.css', 'search.js'];
/** The folder that Eleventy looks for pages in; all it gets are those of the list. */
const INPUT = 'guide';

/**
 * The documents as a site, by Eleventy. They are Markdown as it stands in the repository, without a word for this generator. With
 * `--strict` a link that leads nowhere ends it.
 */
export default function configure(eleventy) {
  const site = { pages: readPages(), pictures: new Map() };
  eleventy.setQuietMode(true);
  eleventy.setUseGitIgnore(false);
  eleventy.amendLibrary('md', (markdown) => extendMarkdown(markdown, site));
  for (const { path, text, address } of site.pages) eleventy.addTemplate(path, text, { permalink: address, source: path });
  eleventy.addTransform('layout', function layOut(content) {
    const source = posix.relative(INPUT, posix.normalize(this.page.inputPath));
    const page = site.pages.find(({ path }) => path === source);
    return toHtml(page, content, site.pages);
  });
  eleventy.on('eleventy.after', ({ directories }) => {
    const dead = findDeadLinks(site.pages);
    if (dead.length > 0) process.stderr.write(`Links that lead nowhere:\n${dead.join('\n')}\n`);
    if (dead.length > 0 && process.argv.includes('--strict')) throw new Error('links lead nowhere');
    writeRest(directories.output, site);
  });
  return { dir: { input: INPUT }, templateFormats: ['md'], markdownTemplateEngine: false };
}

function writeRest(output, { pages, pictures }) {
  for (const folder of ['assets', 'pictures']) mkdirSync(join(output, folder), { recursive: true });
  for (const [address, path] of pictures) copyFileSync(join(ROOT, path), join(output, address));
  for (const name of ASSETS) copyFileSync(join(import.meta.dirname, 'assets', name), join(output, 'assets', name));
  const minisearch = dirname(createRequire(import.meta.url).resolve('minisearch'));
  copyFileSync(join(minisearch, '../es/index.js'), join(output, 'assets/minisearch.js'));
  const index = new MiniSearch(SEARCH_OPTIONS);
  index.addAll(toSections(pages));
  writeFileSync(join(output, 'assets/search.json'), JSON.stringify(index));
}
