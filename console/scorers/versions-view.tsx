import { useState } from 'preact/hooks';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { toHref, useView } from '../kit/location.ts';
import { Empty, Failure, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { DefaultButton } from './default-button.tsx';
import { listVersions, restoreVersion, scorerPath } from './scorer-calls.ts';
import { VersionDetail } from './version-detail.tsx';

interface VersionsProps {
  readonly scorer: Scorer;
  readonly onChanged: () => void;
}

/** The versions, newest first; the one that is picked shows what it changed and what its trial came to. */
export function VersionsView({ scorer, onChanged }: VersionsProps) {
  const [view, change] = useView();
  const starting_token = startIn(view);
  const loaded = useLoaded(`versions ${scorer.id} ${starting_token}`, (signal) =>
    listVersions(scorer.id, starting_token, signal),
  );
  const reload = (): void => {
    loaded.reload();
    onChanged();
  };
  return (
    <Show loaded={loaded}>
      {(page) => {
        const picked = page.versions.find(({ version }) => String(version) === view.get('version')) ?? page.versions[0];
        if (!picked) return <NoVersions scorer={scorer} />;
        const before = page.versions.find(({ version }) => version === picked.version - 1);
        return (
          <div class="row g-4">
            <div class="col-lg-5">
              <VersionTable
                scorer={scorer}
                versions={page.versions}
                picked={picked}
                onPick={(version) => change({ version: String(version) })}
                onChanged={reload}
              />
              <ViewPager page={page} />
            </div>
            <div class="col-lg-7">
              <VersionDetail key={picked.id} scorer={scorer} version={picked} before={before} />
            </div>
          </div>
        );
      }}
    </Show>
  );
}

const NoVersions = ({ scorer }: { scorer: Scorer }) => (
  <Empty title="No versions yet">
    <p class="mb-0">
      A version is written once and never changes.{' '}
      <a class="text-decoration-underline" href={toHref(`${scorerPath(scorer.id)}/editor`)}>
        Write the first one
      </a>
    </p>
  </Empty>
);

interface TableProps extends VersionsProps {
  readonly versions: readonly ScorerVersion[];
  readonly picked: ScorerVersion;
  readonly onPick: (version: number) => void;
}

function VersionTable({ scorer, versions, picked, onPick, onChanged }: TableProps) {
  const restore = useAction(async (version: number) => {
    const made = await restoreVersion(scorer.id, version);
    onChanged();
    onPick(made.version);
  });
  const [error, setError] = useState<unknown>();
  return (
    <>
      <Failure error={restore.error ?? error} />
      <Table class="table table-rows align-middle">
        <TableHeaders of={['Version', 'Created']} actions />
        <tbody>
          {versions.map((one) => (
            <tr key={one.id} class={one.id === picked.id ? 'table-active' : undefined}>
              <td>
                <button
                  type="button"
                  class="btn btn-link btn-sm p-0 text-decoration-none text-nowrap"
                  aria-pressed={one.id === picked.id}
                  onClick={() => onPick(one.version)}
                >
                  Version {one.version}
                </button>
                {one.id === scorer.default_version_id && <span class="badge text-bg-success ms-2">default</span>}
              </td>
              <td>
                <Time at={one.created_at} />
              </td>
              <td class="text-end text-nowrap">
                {one.id !== scorer.default_version_id && (
                  <DefaultButton scorer={scorer} version={one} onDone={onChanged} onFailed={setError} />
                )}
                {one.id !== scorer.latest_version?.id && (
                  <button
                    type="button"
                    class="btn btn-sm btn-link py-0 text-decoration-none"
                    aria-label={`Restore version ${one.version}`}
                    disabled={restore.busy}
                    onClick={() => void restore.run(one.version)}
                  >
                    Restore
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
