import { randomUUID } from 'node:crypto';
import type { Facts, Row, TemplateRow } from '../row.ts';
import { anew, mayCreate } from '../row-helpers.ts';
import { collaboratorRows } from './collaborator-rows.ts';

const onTemplate = (row: Omit<TemplateRow, 'on'>): TemplateRow => ({ on: 'template', ...row });
const ofVersion = { version: 'version_index' } as const;
const text = () => ({ template: 'hello {{input}}' });
const newTemplate = () => ({ ...anew(), ...text() });

/** Whoever may not create anything does not learn whether there is such a project. */
const creating = (usual: number, { caller }: Facts): number => (mayCreate(caller) ? usual : 403);

/** Whatever else one may: what another project uses, or one that the key does not see, is not there. */
const withinProject = (usual: number, { caller, relation }: Facts): number =>
  caller.key_project === 'another' || relation === 'foreign project_id' ? 404 : usual;
const inProject = (row: Omit<TemplateRow, 'on'>): TemplateRow =>
  onTemplate({ ...row, mixed: { project_id: 404 }, deviates: withinProject });

const WHOLE: readonly Row[] = [
  { operation: 'createTemplate', on: 'organization', allowed: ['admin', 'manager', 'user'], body: newTemplate },
  {
    operation: 'createTemplate',
    variant: 'in a project',
    on: 'project',
    needs: 'editor',
    query: ({ project_id }) => ({ project_id }),
    body: newTemplate,
    deviates: creating,
  },
  onTemplate({
    operation: 'queryTemplates',
    needs: 'viewer',
    query: () => ({ limit: '1000' }),
    body: ({ name }) => ({ filters: [{ name: 'name', operator: 'eq', value: name }] }),
    shows: ({ templates }) => templates.length > 0,
  }),
  onTemplate({
    operation: 'deleteTemplates',
    needs: 'owner',
    body: ({ template_id }) => ({ template_ids: [template_id] }),
    deviates: (usual) => (usual === 403 ? 200 : usual),
    shows: ({ deleted_count, failed_deletions }) => deleted_count === 1 || !failed_deletions[0].reason.endsWith('does not exist'),
  }),
  onTemplate({ operation: 'getTemplate', needs: 'viewer' }),
  onTemplate({ operation: 'updateTemplate', needs: 'editor', body: () => ({ name: randomUUID() }) }),
  onTemplate({ operation: 'deleteTemplate', needs: 'owner' }),
];

const VERSIONS: readonly Row[] = [
  onTemplate({ operation: 'createTemplateVersion', needs: 'editor', body: text }),
  onTemplate({ operation: 'queryTemplateVersions', needs: 'viewer', body: () => ({}) }),
  onTemplate({ operation: 'getTemplateVersion', needs: 'viewer', path: ofVersion }),
  onTemplate({ operation: 'selectTemplateVersion', needs: 'editor', path: ofVersion }),
];

/** The fixture's first version has its number as a label, too. */
const OF_LABEL = { label: 'version_index' } as const;
const LABELS: readonly Row[] = [
  onTemplate({ operation: 'listTemplateLabels', needs: 'viewer' }),
  onTemplate({ operation: 'getLabelledTemplateVersion', needs: 'viewer', path: OF_LABEL }),
  onTemplate({
    operation: 'moveTemplateLabel',
    needs: 'editor',
    path: OF_LABEL,
    body: () => ({ version: 2 }),
  }),
  onTemplate({ operation: 'removeTemplateLabel', needs: 'editor', path: OF_LABEL }),
  onTemplate({ operation: 'listTemplateLabelMoves', needs: 'viewer' }),
  onTemplate({
    operation: 'diffTemplateVersions',
    needs: 'viewer',
    path: ofVersion,
    query: ({ version_index }) => ({ from_version: `${version_index}` }),
  }),
];

const OF_PROJECTS: readonly Row[] = [
  { operation: 'listProjectTemplates', on: 'project', needs: 'viewer' },
  { operation: 'createProjectTemplate', on: 'project', needs: 'editor', body: newTemplate, deviates: creating },
  onTemplate({
    operation: 'findProjectTemplateVersion',
    needs: 'viewer',
    known_by: 'project_id',
    query: ({ name }) => ({ template_name: name }),
    deviates: withinProject,
  }),
  inProject({ operation: 'getProjectTemplate', needs: 'viewer' }),
  inProject({ operation: 'getProjectTemplateUsage', needs: 'viewer' }),
  inProject({ operation: 'getProjectTemplateVersionUsage', needs: 'viewer', path: ofVersion }),
  inProject({ operation: 'deleteProjectTemplate', needs: 'owner' }),
  inProject({ operation: 'createProjectTemplateVersion', needs: 'editor', body: text }),
  inProject({ operation: 'getProjectTemplateVersion', needs: 'viewer', path: ofVersion }),
  inProject({ operation: 'selectProjectTemplateVersion', needs: 'editor', path: ofVersion }),
];

export const TEMPLATES: readonly Row[] = [
  ...WHOLE,
  ...VERSIONS,
  ...LABELS,
  ...OF_PROJECTS,
  ...collaboratorRows('Template', 'template'),
  {
    operation: 'renderTemplate',
    on: 'dataset',
    needs: 'viewer',
    body: ({ dataset_id }) => ({ template: '{{input}}', data: { dataset_id } }),
    reads: true,
  },
  {
    operation: 'renderTemplate',
    variant: 'for texts',
    on: 'everyone',
    body: () => ({ template: '{{input}}', data: { input_strings: ['a'] } }),
  },
  { operation: 'inputStub', on: 'everyone', body: () => ({ templates: ['{{input}}'] }) },
];
