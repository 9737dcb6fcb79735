import { relativeTo } from './sources.js';

const toEscaped = (text) =>
  String(text).replaceAll(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** A page of the site. All scripts and styles are files of it, so that a content security policy may refuse any other. */
export function toHtml(page, content, pages) {
  const to = (address) => toEscaped(relativeTo(page.address, address));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${toEscaped(page.title)}${page.address === 'index.html' ? '' : ' · Touchstone'}</title>
<link rel="icon" href="${to('assets/icon.svg')}">
<link rel="stylesheet" href="${to('assets/guide.css')}">
<script type="module" src="${to('assets/search.js')}"></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a class="home" href="${to('index.html')}">Touchstone</a>
<div class="search" data-index="${to('assets/search.json')}" data-root="${to('assets/root').replace(/assets\/root$/, '')}">
<label for="search">Search</label>
<input id="search" type="search" placeholder="Search (press /)" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" disabled>
<ul id="found" role="listbox" aria-label="Found" hidden></ul>
</div>
</header>
<div class="frame">
<nav aria-label="Pages">
<details open>
<summary>Pages</summary>
${toParts(page, pages, to)}
</details>
</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`;
}

function toParts(page, pages, to) {
  const parts = [...new Set(pages.map(({ part }) => part))].map((name) => [name, pages.filter(({ part }) => part === name)]);
  return parts
    .map(([name, members]) => {
      const items = members.map((one) => {
        const isCurrent = one === page ? ' aria-current="page"' : '';
        return `<li><a href="${to(one.address)}"${isCurrent}>${toEscaped(one.title)}</a></li>`;
      });
      const isOpen = members.includes(page) || members.length < 20 ? ' open' : '';
      return `<details class="part"${isOpen}><summary>${toEscaped(name)}</summary><ul>\n${items.join('\n')}\n</ul></details>`;
    })
    .join('\n');
}
