import type { z } from '../core/plugin-sdk/index.ts';
import { type NotificationChannelCase, notificationChannelChecks } from './channels/notification-channel-checks.ts';
import { underVitest } from './under-vitest.ts';

/** What every notification-channel plugin has to hold; a plugin's own test calls it in one line. */
export function notificationChannelKit<S extends z.ZodType>(given: NotificationChannelCase<S>): void {
  underVitest(notificationChannelChecks(given));
}
