import { notificationChannelKit } from '../../../plugin-kit/notification-channel.kit.ts';
import { emailKit } from './kit.ts';

notificationChannelKit(emailKit);
