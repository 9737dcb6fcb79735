import type { Dataset, DatasetAction } from '../../core/datasets/dataset.ts';

/** Whether the action is to be offered. Where the service did not say, it is offered, and refused if it must be. */
export const may = ({ permissions }: Pick<Dataset, 'permissions'>, action: DatasetAction): boolean =>
  permissions.find((one) => one.action === action)?.allowed ?? true;
