import { signal } from '@preact/signals';

const KEY = 'touchstone.texts';

/** Whether texts are shown as they came, and not as the Markdown that they are; the choice is kept in this browser. */
export const isRaw = signal(localStorage.getItem(KEY) === 'raw');

function choose(raw: boolean): void {
  isRaw.value = raw;
  localStorage.setItem(KEY, raw ? 'raw' : 'rendered');
}

/** Rendered or raw, for all texts on the page. */
export const RawSwitch = () => (
  <fieldset class="btn-group btn-group-sm" aria-label="Texts">
    {[false, true].map((raw) => (
      <button
        key={String(raw)}
        type="button"
        class={`btn btn-outline-secondary py-0 ${isRaw.value === raw ? 'active' : ''}`}
        aria-pressed={isRaw.value === raw}
        onClick={() => choose(raw)}
      >
        {raw ? 'Raw' : 'Rendered'}
      </button>
    ))}
  </fieldset>
);
