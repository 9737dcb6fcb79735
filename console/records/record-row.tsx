import { StarButton } from '../bookmarks/star-button.tsx';
import { toHref } from '../kit/location.ts';
import type { ShownColumn } from './column.ts';
import { type Level, type Place, toRecordUrl } from './level.ts';
import { useOpenRecord } from './panel/use-open-record.ts';
import { RecordCell } from './record-cell.tsx';
import type { ShownRecord } from './shown-record.ts';

interface RecordRowProps {
  readonly place: Place;
  readonly record: ShownRecord;
  readonly columns: readonly ShownColumn[];
  readonly isNew: boolean;
  readonly isSelected: boolean;
  readonly isBookmarked: boolean;
  readonly onBookmark: () => void;
  readonly isTabStop: boolean;
  readonly onReach: () => void;
  readonly onPick: (isOn: boolean) => void;
}

/** A record; the link in its first cell lies over the whole row. */
export function RecordRow(props: RecordRowProps) {
  const { place, record, columns, isNew, isSelected, isBookmarked, onBookmark, isTabStop, onReach, onPick } = props;
  const [openId, openBeside] = useOpenRecord();
  const canOpen = place.level !== 'session';
  const isOpen = canOpen && openId === record.id;
  const name = toRecordName(record, place.level);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === ' ') onPick(!isSelected);
    else if (event.key === 'b' && !event.ctrlKey && !event.metaKey) onBookmark();
    else if (event.key === 'o' && canOpen && !event.ctrlKey && !event.metaKey) openBeside(record.id);
    else if (!rowReachedBy(event)) return;
    event.preventDefault();
  };
  return (
    <tr class={`${isNew ? 'new' : ''} ${isSelected ? 'table-active' : ''}`} aria-current={isOpen ? 'true' : undefined}>
      <td class="text-nowrap">
        <input
          class="form-check-input"
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={({ currentTarget }) => onPick(currentTarget.checked)}
        />
        {canOpen && (
          <button
            type="button"
            class="sign-button"
            tabIndex={-1}
            aria-label={`Open ${name} beside the list`}
            title="Open beside the list (o)"
            onClick={() => openBeside(record.id)}
          >
            ◨
          </button>
        )}
        <StarButton name={name} isOn={isBookmarked} tabIndex={-1} onToggle={onBookmark} />
      </td>
      {columns.map((column, at) => (
        <td key={column.id} class={column.isNumeric ? 'number' : column.kind === 'payload' ? 'payload' : undefined}>
          {at === 0 ? (
            <a
              class="record-link"
              dir="auto"
              href={toHref(toRecordUrl(place, record))}
              tabIndex={isTabStop ? 0 : -1}
              aria-keyshortcuts={canOpen ? 'b o' : 'b'}
              onFocus={onReach}
              onKeyDown={onKeyDown}
            >
              {column.id === 'name' ? name : <RecordCell record={record} column={column} />}
              {isNew && <span class="visually-hidden"> (new)</span>}
            </a>
          ) : (
            <RecordCell record={record} column={column} />
          )}
        </td>
      ))}
    </tr>
  );
}

/** Sessions mostly have no name but the one that their application knows them by. */
const toRecordName = ({ name, external_id, id }: ShownRecord, level: Level): string =>
  name || (level === 'session' && external_id) || `${level} ${id.slice(0, 8)}`;

const LINK = 'a.record-link';

/** Moves the focus from a row's link to that of another row, as the key says. Returns false for any other key. */
function rowReachedBy({ key, target }: KeyboardEvent): boolean {
  const here = (target as HTMLElement).closest<HTMLAnchorElement>(LINK);
  const links = [...(here?.closest('tbody')?.querySelectorAll<HTMLAnchorElement>(LINK) ?? [])];
  const at = here ? links.indexOf(here) : -1;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[key];
  if (to === undefined) return false;
  const link = links[Math.min(Math.max(to, 0), links.length - 1)];
  link?.focus();
  link?.scrollIntoView({ block: 'nearest' });
  return true;
}
