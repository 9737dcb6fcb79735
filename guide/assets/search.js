import MiniSearch from './minisearch.js';

/** As in `sections.js`, which made the index. */
const OPTIONS = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'address', 'shown'] };
const WANTED = {
  boost: { title: 4, page: 2 },
  prefix: true,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  combineWith: 'AND',
};
const MOST = 20;

const field = document.getElementById('search');
const list = document.getElementById('found');
const { index: address, root } = field.closest('.search').dataset;
let loading;
let chosen = -1;

// On a narrow screen the list of pages opens by a press; on a wide one it is always there.
const wide = matchMedia('(min-width: 60rem)');
const pages = document.querySelector('nav > details');
const showPages = () => {
  pages.open = wide.matches;
};
wide.addEventListener('change', showPages);
showPages();
field.disabled = false;

/** Loaded by the first search: most readers of a page search for nothing. */
function load() {
  loading ??= fetch(address)
    .then((reply) => reply.text())
    .then((text) => MiniSearch.loadJSON(text, OPTIONS));
  return loading;
}

async function search() {
  const words = field.value.trim();
  const found = words === '' ? [] : (await load()).search(words, WANTED).slice(0, MOST);
  // Meanwhile more may have been typed.
  if (words !== field.value.trim()) return;
  show(found, words);
}

function show(found, words) {
  list.replaceChildren(...found.map(toItem));
  if (words !== '' && found.length === 0)
    list.append(Object.assign(document.createElement('li'), { textContent: 'Nothing found.' }));
  list.hidden = words === '';
  field.setAttribute('aria-expanded', String(!list.hidden));
  choose(found.length > 0 ? 0 : -1);
}

function toItem({ title, page, address: place, shown }, number) {
  const item = document.createElement('li');
  Object.assign(item, { id: `found-${number}`, role: 'option', textContent: title });
  item.dataset.place = root + place;
  const more = document.createElement('small');
  more.textContent = title === page ? shown : `${page} · ${shown}`;
  item.append(more);
  return item;
}

function choose(number) {
  const items = list.querySelectorAll('[role="option"]');
  chosen = items.length === 0 ? -1 : (number + items.length) % items.length;
  for (const [index, item] of items.entries()) item.setAttribute('aria-selected', String(index === chosen));
  if (chosen < 0) field.removeAttribute('aria-activedescendant');
  else field.setAttribute('aria-activedescendant', `found-${chosen}`);
  items[chosen]?.scrollIntoView({ block: 'nearest' });
}

function go(item) {
  if (!item) return;
  show([], '');
  field.blur();
  location.assign(item.dataset.place);
}

field.addEventListener('input', search);
field.addEventListener('focus', load, { once: true });
field.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) choose(chosen + step);
  else if (event.key === 'Enter') go(list.querySelector('[aria-selected="true"]'));
  else if (event.key === 'Escape') show([], '');
  else return;
  event.preventDefault();
});
list.addEventListener('click', (event) => go(event.target.closest('[role="option"]')));
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) show([], '');
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input')) return;
  field.focus();
  event.preventDefault();
});
