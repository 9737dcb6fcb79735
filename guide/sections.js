/** Of a section: further words find it all the same, but are not shown. */
const MAX_SHOWN = 240;

/** What the search looks in, and what it needs of a section that it has found. */
export const SEARCH_OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'address', 'shown'] };

/** A document for each heading of each page. */
export const toSections = (pages) =>
  pages.flatMap(({ title: page, address, sections }) =>
    sections.map(({ title, anchor, level, texts }) => {
      const text = texts.join(' ').replaceAll(/\s+/g, ' ');
      const place = level === 1 ? address : `${address}#${anchor}`;
      return { id: place, title, page, address: place, text, shown: text.slice(0, MAX_SHOWN) };
    }),
  );
