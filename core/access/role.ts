import { z } from 'zod';
import type { Permission } from '../kernel/permission.ts';
import type { ProjectAction } from './project-action.ts';

/** Roles in the organisation. */
export const UserRole = z.enum(['admin', 'manager', 'user', 'read_only']);
export type UserRole = z.output<typeof UserRole>;

/** Purposes that a key may be made for alone: with one for provisioning an identity provider keeps users and groups, and can do nothing else. */
export const ApiKeyPurpose = z.enum(['provisioning']);
export type ApiKeyPurpose = z.output<typeof ApiKeyPurpose>;

/** Roles on a shared object, from the least to the most. Each may do all that the ones before it may. */
export const COLLABORATOR_ROLES = ['viewer', 'annotator', 'editor', 'owner'] as const;
export const CollaboratorRole = z.enum(['owner', 'editor', 'annotator', 'viewer']);
export type CollaboratorRole = z.output<typeof CollaboratorRole>;

/** Kinds of objects that are shared with users and groups. */
export const OBJECT_KINDS = ['project', 'dataset', 'template', 'integration'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

export interface ObjectRef {
  readonly kind: ObjectKind;
  readonly id: string;
}

/** Actions on each kind of object beside reading it, with the least role that permits them. */
const OBJECT_ACTIONS = {
  project: {
    set_masking: 'owner',
    set_data_export: 'owner',
    ...({
      export_data: 'viewer',
      record_human_feedback: 'annotator',
      update: 'editor',
      rename: 'editor',
      create_run: 'editor',
      delete_run: 'editor',
      rename_run: 'editor',
      move_run: 'editor',
      configure_human_feedback: 'editor',
      log_data: 'editor',
      toggle_metric: 'editor',
      edit_alert: 'editor',
      create_stage: 'editor',
      edit_stage: 'editor',
      configure_crown_logic: 'editor',
      delete_data: 'editor',
      set_metric: 'editor',
      edit_run_tags: 'editor',
      dismiss_alert: 'editor',
      edit_slice: 'editor',
      edit_edit: 'editor',
      delete: 'owner',
      share: 'owner',
    } satisfies Record<ProjectAction, CollaboratorRole>),
  },
  dataset: { export: 'viewer', update: 'editor', rename: 'editor', delete: 'owner', share: 'owner' },
  template: { update: 'editor', delete: 'owner', share: 'owner' },
  integration: { update: 'editor', delete: 'owner', share: 'owner' },
} as const satisfies Record<ObjectKind, Readonly<Record<string, CollaboratorRole>>>;

export type ObjectAction<K extends ObjectKind = ObjectKind> = K extends ObjectKind ? keyof (typeof OBJECT_ACTIONS)[K] : never;

/** Actions on the organisation as a whole, with the roles of users that permit them. */
const ORGANIZATION_ACTIONS = {
  read_users: ['admin', 'manager', 'user', 'read_only'],
  manage_own_api_keys: ['admin', 'manager', 'user', 'read_only'],
  create_object: ['admin', 'manager', 'user'],
  select_integration: ['admin', 'manager', 'user', 'read_only'],
  join_group: ['admin', 'manager', 'user', 'read_only'],
  create_group: ['admin', 'manager', 'user'],
  maintain_group: ['admin', 'manager', 'user'],
  manage_users: ['admin', 'manager'],
  manage_groups: ['admin', 'manager'],
  manage_prices: ['admin', 'manager'],
  read_audit_log: ['admin'],
  provision: ['admin'],
} as const satisfies Readonly<Record<string, readonly UserRole[]>>;
export type OrganizationAction = keyof typeof ORGANIZATION_ACTIONS;

const rank = (role: CollaboratorRole): number => COLLABORATOR_ROLES.indexOf(role);

export const atLeast = (role: CollaboratorRole, least: CollaboratorRole): boolean => rank(role) >= rank(least);

/** The most of several roles; undefined of none. */
export const highest = (roles: readonly CollaboratorRole[]): CollaboratorRole | undefined =>
  roles.toSorted((a, b) => rank(b) - rank(a))[0];

export const lower = (a: CollaboratorRole, b: CollaboratorRole): CollaboratorRole => (atLeast(a, b) ? b : a);

/** Why a role may not do this to an object; null when it may. What is no known action is for owners. */
export function whyNot(kind: ObjectKind, action: string, role: CollaboratorRole): string | null {
  const actions: Readonly<Record<string, CollaboratorRole>> = OBJECT_ACTIONS[kind];
  const least = actions[action] ?? 'owner';
  return atLeast(role, least) ? null : `${action} on a ${kind} is for role ${least} and above; your role is ${role}`;
}

/** The `permissions` of an object for the actions that were asked for. */
export const permissionsFor = (kind: ObjectKind, role: CollaboratorRole, actions: readonly string[]): Permission[] =>
  [...new Set(actions)].map((action) => {
    const message = whyNot(kind, action, role);
    return { action, allowed: message === null, message };
  });

export const mayInOrganization = (role: UserRole, action: OrganizationAction): boolean =>
  (ORGANIZATION_ACTIONS[action] as readonly UserRole[]).includes(role);
