import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { mistralKit } from './kit.ts';

modelProviderKit(mistralKit);
