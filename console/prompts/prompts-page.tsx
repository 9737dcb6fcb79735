import { useState } from 'preact/hooks';
import type { Template } from '../../core/prompts/template.ts';
import { post } from '../api/client.ts';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { numberText } from '../kit/formatting.ts';
import { navigate, toHref, useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ViewSearch } from '../kit/view-search.tsx';
import { PromptField } from './prompt-field.tsx';
import { parsePrompt, type TemplatePage } from './prompts.ts';

const LIMIT = 50;

/** All prompts that one sees, newest first. */
export function PromptsPage() {
  const [view] = useView();
  const [creating, setCreating] = useState(false);
  const name = view.get('name') ?? '';
  const starting_token = startIn(view);
  const filters = name === '' ? [] : [{ name: 'name', operator: 'contains', value: name, case_sensitive: false }];
  const loaded = useLoaded(`prompts ${name} ${starting_token}`, (signal) =>
    post<TemplatePage>('/templates/query', { filters }, { query: { starting_token, limit: LIMIT }, signal }),
  );
  return (
    <>
      <div class="d-flex gap-2 align-items-center mb-3">
        <h1 class="h4 mb-0 me-auto">Prompts</h1>
        <ViewSearch label="Find prompts by name" />
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New prompt
        </button>
      </div>
      <Show loaded={loaded}>
        {(page) =>
          page.templates.length === 0 && name === '' ? (
            <Empty title="No prompts yet">
              <p class="mb-0">
                A prompt is kept in versions. A label such as <code>production</code> says which of them your application fetches.
              </p>
            </Empty>
          ) : (
            <>
              <PromptTable templates={page.templates} />
              <ViewPager page={page} />
            </>
          )
        }
      </Show>
      {creating && (
        <FormDialog title="New prompt" verb="Create" wide onClose={() => setCreating(false)} onSubmit={create}>
          <TextField label="Name" name="name" required />
          <PromptField />
        </FormDialog>
      )}
    </>
  );
}

const PromptTable = ({ templates }: { templates: readonly Template[] }) => (
  <Table class="table table-hover table-rows">
    <TableHeaders of={['Name', { end: 'Versions' }, 'Labels of the selected version', 'Created by', 'Updated']} />
    <tbody>
      {templates.map(({ id, name, total_versions, selected_version, created_by_user, updated_at }) => (
        <tr key={id}>
          <td>
            <a href={toHref(`/prompts/${id}`)} dir="auto">
              {name}
            </a>
          </td>
          <td class="text-end">{numberText(total_versions)}</td>
          <td>{selected_version.labels.join(', ') || '–'}</td>
          <td>{created_by_user?.email ?? '–'}</td>
          <td>
            <Time at={updated_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

async function create(values: FormData): Promise<void> {
  const template = parsePrompt(String(values.get('template')));
  const { id } = await post<Template>('/templates', { name: values.get('name'), template });
  navigate(`/prompts/${id}`);
}
