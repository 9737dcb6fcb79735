import { modelProviderKit } from '../../../test/kits/model-provider.kit.ts';
import { mistralKit } from './kit.ts';

modelProviderKit(mistralKit);
