import { notificationChannelKit } from '../../../plugin-kit/notification-channel.kit.ts';
import { webhookKit } from './kit.ts';

notificationChannelKit(webhookKit);
