import { notificationChannelKit } from '../../../plugin-kit/channels/notification-channel.kit.ts';
import { webhookKit } from './kit.ts';

notificationChannelKit(webhookKit);
