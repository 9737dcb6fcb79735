import type { Permission } from '../../core/kernel/permission.ts';

/** Whether the reply of a list that was asked for `action` says that it may be done. */
export const allows = (permissions: readonly Permission[], action: string): boolean =>
  permissions.some((permission) => permission.action === action && permission.allowed);
