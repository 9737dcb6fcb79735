import { basename } from 'node:path';
import { relativeTo, resolveLink } from './sources.js';

/** The name of a heading in addresses, as GitHub makes it. */
export const toSlug = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');

/**
 * Extends a markdown-it: headings get ids, links and pictures lead to where the site has them. `site.pages` are the pages; of each page
 * its `anchors`, its `sections` for the search and the `links` that name an anchor are noted, and in `site.pictures` what has to be copied.
 */
export function extendMarkdown(markdown, site) {
  markdown.core.ruler.push('site', (state) => {
    const page = site.pages.find(({ path }) => path === state.env.source);
    page.anchors = new Set();
    page.sections = [];
    page.links = [];
    page.dead = [];
    nameHeadings(state.tokens, page);
    for (const token of state.tokens) {
      alignByClass(token);
      for (const child of token.children ?? []) redirect(child, page, site);
    }
  });
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  // What may be scrolled has to be reached by keys.
  for (const kind of ['fence', 'code_block']) {
    const toPre = markdown.renderer.rules[kind];
    markdown.renderer.rules[kind] = (...given) => toPre(...given).replace('<pre>', '<pre tabindex="0">');
  }
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  return markdown;
}

/** The content security policy lets no element have a style of its own. */
function alignByClass(token) {
  const side = /^text-align:(left|center|right)$/.exec(token.attrGet('style') ?? '')?.[1];
  if (side) token.attrs = [...token.attrs.filter(([name]) => name !== 'style'), ['class', `align-${side}`]];
}

function nameHeadings(tokens, page) {
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = getText(tokens[index + 1]);
      const anchor = toFree(toSlug(title), page.anchors);
      page.anchors.add(anchor);
      token.attrSet('id', anchor);
      page.sections.push({ anchor, title, level: Number(token.tag.slice(1)), texts: [] });
    } else if (token.type === 'inline' || token.type === 'fence' || token.type === 'code_block') {
      const isHeading = tokens[index - 1]?.type === 'heading_open';
      if (!isHeading) page.sections.at(-1)?.texts.push(getText(token));
    }
  }
}

const getText = (token) =>
  token.children?.map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('') ?? token.content;

function toFree(slug, taken) {
  for (let count = 0; ; count++) {
    const name = count === 0 ? slug : `${slug}-${count}`;
    if (!taken.has(name)) return name;
  }
}

function redirect(token, page, site) {
  if (token.type === 'link_open') {
    const target = resolve(token.attrGet('href'), page, site);
    if (target.page) {
      page.links.push(target);
      const anchor = target.anchor ? `#${target.anchor}` : '';
      token.attrSet('href', target.page === page && anchor ? anchor : relativeTo(page.address, target.page.address) + anchor);
    } else if (target.picture) token.attrSet('href', toPicture(target.picture, page, site));
    else if (target.file) toFileName(token, target.file);
  } else if (token.type === 'image') {
    const { picture } = resolve(token.attrGet('src'), page, site);
    if (picture) token.attrSet('src', toPicture(picture, page, site));
    token.attrSet('loading', 'lazy');
  }
}

function resolve(link, page, site) {
  const target = resolveLink(link, page, site.pages);
  if (target.isDead) page.dead.push(`${page.path}: there is nothing at ${link}`);
  return target;
}

function toPicture(path, page, site) {
  const address = `pictures/${basename(path)}`;
  site.pictures.set(address, path);
  return relativeTo(page.address, address);
}

/** The site does not hold the sources: a link to one stays as its name. */
function toFileName(token, path) {
  token.attrs = [['title', `${path}, in the sources`]];
}

/** Links that lead nowhere, or to a heading that their page does not have. To be called once all pages are rendered. */
export const findDeadLinks = (pages) =>
  pages.flatMap((page) => [
    ...page.dead,
    ...page.links
      .filter(({ page: target, anchor }) => anchor && !target.anchors.has(decodeURIComponent(anchor)))
      .map(({ page: target, anchor }) => `${page.path}: ${target.path} has no heading #${anchor}`),
  ]);
