import { identityProviderKit } from '../../../plugin-kit/identity-provider/identity-provider.kit.ts';
import { openidConnectKit } from './kit.ts';

identityProviderKit(openidConnectKit);
