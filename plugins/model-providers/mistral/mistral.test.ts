import { modelProviderKit } from '../../../plugin-kit/model-provider.kit.ts';
import { mistralKit } from './kit.ts';

modelProviderKit(mistralKit);
