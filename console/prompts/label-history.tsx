import type { PageFields } from '../../core/kernel/query/page.ts';
import type { TemplateLabelMove } from '../../core/prompts/template-label.ts';
import { get } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

type MovePage = PageFields & { readonly moves: readonly TemplateLabelMove[] };
const LIMIT = 50;

const versionText = (version: number | null): string => (version === null ? '–' : String(version));

/** Who moved which label from which version to which, newest first. */
export function LabelHistory({ path }: { path: string }) {
  const [view] = useView();
  const starting_token = startIn(view);
  const loaded = useLoaded(`label moves ${path} ${starting_token}`, (signal) =>
    get<MovePage>(`${path}/label_moves`, { query: { starting_token, limit: LIMIT }, signal }),
  );
  return (
    <Show loaded={loaded}>
      {(page) =>
        page.moves.length === 0 ? (
          <Empty title="No label has been moved yet">
            <p class="mb-0">Put a label on a version, to say which one your application fetches.</p>
          </Empty>
        ) : (
          <>
            <Table class="table table-hover table-rows">
              <TableHeaders of={['Label', 'From version', 'To version', 'Moved by', 'Moved']} />
              <tbody>
                {page.moves.map(({ label, from_version, to_version, moved_by_user, moved_at }, at) => (
                  <tr key={at}>
                    <td>{label}</td>
                    <td>{versionText(from_version)}</td>
                    <td>{versionText(to_version)}</td>
                    <td>{moved_by_user?.email ?? '–'}</td>
                    <td>
                      <Time at={moved_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </Table>
            <ViewPager page={page} />
          </>
        )
      }
    </Show>
  );
}
