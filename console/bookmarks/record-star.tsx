import { Failure } from '../kit/notices.tsx';
import { useKeys } from '../kit/use-keys.ts';
import { StarButton } from './star-button.tsx';
import { useBookmarks } from './use-bookmarks.ts';

interface RecordStarProps {
  readonly project_id: string;
  /** Names the run as requests do. */
  readonly ids: Readonly<Record<string, string>>;
  readonly record_id: string;
  readonly name: string;
}

/** The bookmark of the record that a page is about, put and taken by the key `b` too. */
export function RecordStar({ project_id, ids, record_id, name }: RecordStarProps) {
  const bookmarks = useBookmarks(project_id, ids);
  const toggle = (): void => bookmarks.toggle(record_id);
  useKeys({ b: toggle });
  return (
    <>
      <StarButton name={name} isOn={bookmarks.has(record_id)} onToggle={toggle} />
      <Failure error={bookmarks.error} />
    </>
  );
}
