import { useView } from '../../kit/location.ts';
import { toOpen } from './open-record.ts';

/** The record that is open beside the list, as the address names it, and a function to open another. */
export function useOpenRecord(): [string | undefined, (id: string) => void] {
  const [view, change] = useView();
  return [view.get('open') ?? undefined, (id) => change(toOpen(id))];
}
