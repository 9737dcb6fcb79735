import type { PageFields } from '../../core/kernel/query/page.ts';
import { useView } from './location.ts';

/** Turns the pages of a list by their offset; nothing when there is one page. */
export function Pager({ page, onTurn }: { page: PageFields; onTurn: (starting_token: number) => void }) {
  const { starting_token, limit, next_starting_token } = page;
  if (starting_token === 0 && next_starting_token === null) return null;
  return (
    <nav aria-label="Pages" class="d-flex gap-2 justify-content-end">
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        disabled={starting_token === 0}
        onClick={() => onTurn(Math.max(0, starting_token - limit))}
      >
        Previous
      </button>
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        disabled={next_starting_token === null}
        onClick={() => next_starting_token !== null && onTurn(next_starting_token)}
      >
        Next
      </button>
    </nav>
  );
}

/** Where the page begins that the address names by `from`. */
export const startIn = (view: URLSearchParams): number => Number(view.get('from')) || 0;

/** Turns the pages of a list whose place stands in the address. */
export function ViewPager({ page }: { page: PageFields }) {
  const [, change] = useView();
  return <Pager page={page} onTurn={(from) => change({ from: from === 0 ? undefined : String(from) })} />;
}
