import '../styles/admin.css';
import { useState } from 'preact/hooks';
import type { ApiKeyView, CreatedApiKey } from '../../core/access/api-key.ts';
import type { UserView } from '../../core/access/users/user.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { get, remove } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { useView } from '../kit/location.ts';
import { Empty, Failure, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { allProjects } from '../projects/projects.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { PeopleHead } from './people-head.tsx';

type KeyPage = PageFields & { readonly api_keys: readonly ApiKeyView[] };
const LIMIT = 50;

/** The caller's own API keys. */
export function KeysPage() {
  const [view] = useView();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey>();
  const starting_token = startIn(view);
  const loaded = useLoaded(`api keys ${starting_token}`, async (signal) => {
    const { id } = await get<UserView>('/current_user', { signal });
    return get<KeyPage>(`/users/${id}/api_keys`, { query: { starting_token, limit: LIMIT }, signal });
  });
  return (
    <>
      <PeopleHead active="/people/keys">
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New API key
        </button>
      </PeopleHead>
      <Show loaded={loaded}>
        {(page) =>
          page.api_keys.length === 0 ? (
            <Empty title="No API keys yet">
              <p>Applications send traces with a key. Make one for one project, so that it opens nothing else.</p>
            </Empty>
          ) : (
            <>
              <KeyTable keys={page.api_keys} onChanged={loaded.reload} />
              <ViewPager page={page} />
            </>
          )
        }
      </Show>
      {creating && (
        <NewKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreated(key);
            loaded.reload();
          }}
        />
      )}
      {created && <NewSecretDialog api_key={created.api_key} onClose={() => setCreated(undefined)} />}
    </>
  );
}

function KeyTable({ keys, onChanged }: { keys: readonly ApiKeyView[]; onChanged: () => void }) {
  const { value: projects = [] } = useLoaded('all projects', (signal) => allProjects(signal));
  const projectName = (id: string): string => projects.find((project) => project.id === id)?.name ?? id;
  return (
    <Table class="table table-hover table-rows table-controls">
      <TableHeaders of={['Name', 'Key', 'Project', 'Permissions', 'Last used', 'Expires', 'Created']} actions />
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td>{key.description}</td>
            <td>
              <code>…{key.truncated}</code>
            </td>
            <td>{key.project_id === null ? 'all' : projectName(key.project_id)}</td>
            <td>{key.purpose === 'provisioning' ? 'provisioning only' : (key.max_role ?? 'Same as mine')}</td>
            <td>{key.last_used ? <Time at={key.last_used} /> : 'never'}</td>
            <td>{key.expires_at ? <Time at={key.expires_at} /> : 'never'}</td>
            <td>
              <Time at={key.created_at} />
            </td>
            <td class="text-end">
              <ConfirmButton
                label="Delete"
                question={`What uses the key "${key.description}" is refused from its next request on.`}
                onConfirm={async () => {
                  await remove(`/users/api_keys/${key.id}`);
                  onChanged();
                }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** A key that was just made, the only time it can be seen. */
function NewSecretDialog({ api_key, onClose }: { api_key: string; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = useAction(async () => {
    // Browsers have it on pages that came over TLS or from this machine alone.
    if (!navigator.clipboard) throw new Error('the browser does not let this page copy: select the key and copy it');
    await navigator.clipboard.writeText(api_key);
    setCopied(true);
  });
  return (
    <Dialog title="Copy the key now" onClose={onClose}>
      <p>It is kept here as a digest only: nobody can show it again.</p>
      <div class="input-group">
        <input
          class="form-control font-monospace"
          aria-label="The new API key"
          value={api_key}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="button" class="btn btn-primary" onClick={() => void copy.run()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <p class="visually-hidden" role="status">
        {copied && 'The key was copied.'}
      </p>
      <Failure error={copy.error} />
    </Dialog>
  );
}
