import type { Alert } from '../../core/trends/alert.ts';
import type { TrendChanges } from '../../core/trends/changes/trend-change.ts';
import type { TrendsDashboard } from '../../core/trends/dashboard.ts';
import type { WidgetData } from '../../core/trends/widget-query.ts';
import type { LogStreamPath } from './address.ts';

/** State that all views of one dashboard share. */
export interface Dashboard {
  readonly stream: LogStreamPath;
  readonly trends: TrendsDashboard;
  /** By the id of the widget; undefined while it is on its way. */
  readonly data: ReadonlyMap<string, WidgetData> | undefined;
  /** Undefined while they are on their way, and where they could not be loaded. */
  readonly changes: TrendChanges | undefined;
  readonly alerts: readonly Alert[];
  /** To choose from where widgets are edited. */
  readonly metrics: readonly string[];
  readonly isEdited: boolean;
  /** Fetches everything anew after a change. */
  reload(): void;
}
