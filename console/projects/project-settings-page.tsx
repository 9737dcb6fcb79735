import '../styles/admin.css';
import type { Project } from '../../core/projects/project.ts';
import { put, remove } from '../api/client.ts';
import { DataExportForm } from '../data-export/data-export-form.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Field, TextField } from '../kit/field.tsx';
import { navigate } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { RoutesSection } from '../notification-routes/routes-section.tsx';
import { SpendingBudgetForm } from '../prices/spending-budget-form.tsx';
import { SettingsForm } from '../settings/settings-form.tsx';
import { allows } from '../sharing/permission.ts';
import { ProjectHead } from './project-head.tsx';
import { RetentionForm } from './retention-form.tsx';
import { UnpricedForm } from './unpriced-form.tsx';
import { useProject } from './use-project.ts';

/** Settings of a project: its name, how long it keeps traces, what models may cost and which it may call, its export, where its alerts go, and its deletion. */
export function ProjectSettingsPage({ params }: { params: Record<string, string> }) {
  const loaded = useProject(params.project_id!);
  return (
    <Show loaded={loaded}>
      {(project) => (
        <>
          <ProjectHead project={project} active={`/projects/${project.id}/settings`} />
          <div class="narrow-form">
            <ProjectForm project={project} mayChange={allows(project.permissions, 'update')} onSaved={loaded.reload} />
            <RetentionForm path={`/projects/${project.id}/retention`} mayChange={allows(project.permissions, 'update')} />
            <SpendingBudgetForm
              path={`/projects/${project.id}/spending-budget`}
              mayChange={allows(project.permissions, 'update')}
            />
            <UnpricedForm path={`/projects/${project.id}/unpriced-models`} mayChange={allows(project.permissions, 'update')} />
            <DataExportForm project_id={project.id} mayChange={allows(project.permissions, 'delete')} />
            <RoutesSection project_id={project.id} mayChange={allows(project.permissions, 'update')} />
            {allows(project.permissions, 'delete') && (
              <section class="border-top pt-3">
                <h2 class="h6">Delete the project</h2>
                <p>Its log streams, traces, experiments and files are deleted with it. This cannot be undone.</p>
                <ConfirmButton
                  label="Delete project"
                  question={`${project.name} and everything in it will be deleted.`}
                  onConfirm={async () => {
                    await remove(`/projects/${project.id}`);
                    navigate('/');
                  }}
                />
              </section>
            )}
          </div>
        </>
      )}
    </Show>
  );
}

interface ProjectFormProps {
  readonly project: Project;
  readonly mayChange: boolean;
  readonly onSaved: () => void;
}

const ProjectForm = ({ project, mayChange, onSaved }: ProjectFormProps) => (
  <SettingsForm
    title="Name and description"
    mayChange={mayChange}
    onSubmit={async (values) => {
      await put(`/projects/${project.id}`, { name: values.get('name'), description: values.get('description') });
      onSaved();
    }}
  >
    <TextField label="Name" name="name" value={project.name} required />
    <Field label="Description">
      {(id) => <textarea class="form-control" id={id} name="description" rows={2} defaultValue={project.description ?? ''} />}
    </Field>
  </SettingsForm>
);
