import { notificationChannelKit } from '../../../plugin-kit/channels/notification-channel.kit.ts';
import { emailKit } from './kit.ts';

notificationChannelKit(emailKit);
