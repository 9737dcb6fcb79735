import { z } from 'zod';

/** Actions that a caller may be allowed on a project; lists report the actions that were asked for. */
const PROJECT_ACTIONS = [
  'update',
  'delete',
  'rename',
  'share',
  'create_run',
  'delete_run',
  'rename_run',
  'move_run',
  'export_data',
  'configure_human_feedback',
  'record_human_feedback',
  'log_data',
  'toggle_metric',
  'edit_alert',
  'create_stage',
  'edit_stage',
  'configure_crown_logic',
  'delete_data',
  'set_metric',
  'edit_run_tags',
  'dismiss_alert',
  'edit_slice',
  'edit_edit',
] as const;
export const ProjectAction = z.enum(PROJECT_ACTIONS);
export type ProjectAction = z.output<typeof ProjectAction>;
