import { useState } from 'preact/hooks';
import type { PageFields } from '../../core/kernel/query/page.ts';
import type { CreatedProject, Project } from '../../core/projects/project.ts';
import { post } from '../api/client.ts';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate, toHref, useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ViewSearch } from '../kit/view-search.tsx';

type ProjectPage = PageFields & { readonly projects: readonly Project[] };
const LIMIT = 50;

export function ProjectsPage() {
  const [view] = useView();
  const [creating, setCreating] = useState(false);
  const name = view.get('name') ?? '';
  const starting_token = startIn(view);
  const filters = name === '' ? [] : [{ name: 'name', operator: 'contains', value: name, case_sensitive: false }];
  const loaded = useLoaded(`projects ${name} ${starting_token}`, (signal) =>
    post<ProjectPage>('/projects/paginated', { filters }, { query: { starting_token, limit: LIMIT }, signal }),
  );
  return (
    <>
      <div class="d-flex gap-2 align-items-center mb-3">
        <h1 class="h4 mb-0 me-auto">Projects</h1>
        <ViewSearch label="Find projects by name" />
        <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setCreating(true)}>
          New project
        </button>
      </div>
      <Show loaded={loaded}>
        {(page) =>
          page.projects.length === 0 && name === '' ? (
            <Empty title="No projects yet">
              <p>
                A project holds log streams, experiments and who may see them. Make one here, or run <code>npm run demo</code>{' '}
                beside the service for sample traces with scores.
              </p>
            </Empty>
          ) : (
            <>
              <ProjectTable projects={page.projects} />
              <ViewPager page={page} />
            </>
          )
        }
      </Show>
      {creating && (
        <FormDialog title="New project" verb="Create" onClose={() => setCreating(false)} onSubmit={create}>
          <TextField label="Name" name="name" required />
        </FormDialog>
      )}
    </>
  );
}

const ProjectTable = ({ projects }: { projects: readonly Project[] }) => (
  <Table class="table table-hover table-rows">
    <TableHeaders of={['Name', 'Description', 'Created by', 'Updated']} />
    <tbody>
      {projects.map((project) => (
        <tr key={project.id}>
          <td>
            <a href={toHref(`/projects/${project.id}`)}>{project.name}</a>
          </td>
          <td class="text-body-secondary">{project.description}</td>
          <td>{project.created_by_user.email}</td>
          <td>
            <Time at={project.updated_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

async function create(values: FormData): Promise<void> {
  const { id } = await post<CreatedProject>('/projects', { name: values.get('name'), type: 'gen_ai' });
  navigate(`/projects/${id}`);
}
