import { useState } from 'preact/hooks';
import type { Template, TemplateVersion } from '../../core/prompts/template.ts';
import { apiUrl, post, put, remove } from '../api/client.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { Failure } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';
import { LabelDialog } from './label-dialog.tsx';
import { PromptField } from './prompt-field.tsx';
import { parsePrompt, promptText } from './prompts.ts';

interface VersionsProps {
  readonly template: Template;
  /** Of the prompt in the API. */
  readonly path: string;
  readonly onChanged: () => void;
}

/** The versions of a prompt, newest first, with a way to write the next one. */
export function Versions({ template, path, onChanged }: VersionsProps) {
  const [isWriting, setWriting] = useState(false);
  const newest = template.all_versions[0];
  const write = async (values: FormData): Promise<void> => {
    const commit_message = String(values.get('commit_message') ?? '').trim() || null;
    await post(`${path}/versions`, {
      template: parsePrompt(String(values.get('template'))),
      commit_message,
      settings: newest?.settings,
    });
    onChanged();
  };
  return (
    <>
      <button type="button" class="btn btn-sm btn-primary mb-3" aria-haspopup="dialog" onClick={() => setWriting(true)}>
        New version
      </button>
      <Table class="table table-hover table-rows">
        <TableHeaders of={['Version', 'Labels', 'Prompt text', 'Created by', 'Created']} actions />
        <tbody>
          {template.all_versions.map((version) => (
            <VersionRow key={version.id} version={version} template={template} path={path} onChanged={onChanged} />
          ))}
        </tbody>
      </Table>
      {isWriting && (
        <FormDialog title="New version" verb="Save version" wide onClose={() => setWriting(false)} onSubmit={write}>
          <PromptField text={newest ? promptText(newest.template) : ''} />
          <TextField label="Commit message" name="commit_message" help="Why this version was made." />
        </FormDialog>
      )}
    </>
  );
}

function VersionRow({ version, template, path, onChanged }: VersionsProps & { readonly version: TemplateVersion }) {
  const [isLabelling, setLabelling] = useState(false);
  const { version: number, labels, commit_message } = version;
  const change = useAction(async (work: () => Promise<unknown>) => {
    await work();
    onChanged();
  });
  const isSelected = number === template.selected_version.version;
  return (
    <tr>
      <td class="text-nowrap">
        {number} {isSelected && <span class="badge text-bg-success">Selected</span>}
        {number === template.max_version && <span class="badge text-bg-secondary ms-1">latest</span>}
      </td>
      <td>
        {labels.map((label) => (
          <span class="btn-group btn-group-sm me-1" key={label}>
            <span class="badge text-bg-primary">{label}</span>
            <button
              type="button"
              class="btn btn-link p-0 px-1"
              aria-label={`Remove label ${label}`}
              disabled={change.busy}
              onClick={() => void change.run(() => remove(`${path}/labels/${encodeURIComponent(label)}`))}
            >
              ×
            </button>
          </span>
        ))}
        <button type="button" class="btn btn-sm btn-link p-0" aria-haspopup="dialog" onClick={() => setLabelling(true)}>
          Add label
        </button>
        <Failure error={change.error} />
        {isLabelling && <LabelDialog path={path} version={number} onMoved={onChanged} onClose={() => setLabelling(false)} />}
      </td>
      <td>
        {commit_message && (
          <div class="fw-semibold" dir="auto">
            {commit_message}
          </div>
        )}
        <details>
          <summary>Version {number}</summary>
          <pre class="snippet" dir="auto">
            {promptText(version.template)}
          </pre>
          {Object.keys(version.settings).length > 0 && (
            <>
              <div class="form-text">Settings</div>
              <pre class="snippet">{JSON.stringify(version.settings, null, 2)}</pre>
            </>
          )}
        </details>
      </td>
      <td>{version.created_by_user?.email ?? '–'}</td>
      <td>
        <Time at={version.created_at} />
      </td>
      <td class="text-end text-nowrap">
        {!isSelected && (
          <button
            type="button"
            class="btn btn-sm btn-link p-0 me-2"
            disabled={change.busy}
            onClick={() => void change.run(() => put(`${path}/versions/${number}`))}
          >
            Select
          </button>
        )}
        <CopyButton label="Copy as curl" text={() => fetchCommand(path, labels[0] ?? String(number), labels.length > 0)} />
      </td>
    </tr>
  );
}

/** How an application fetches a version: by a label, which may move, or by its number. */
const fetchCommand = (path: string, name: string, isLabel: boolean): string =>
  `curl -H "Service-API-Key: $API_KEY" "${apiUrl(`${path}/${isLabel ? 'labels' : 'versions'}/${name}`)}"`;
