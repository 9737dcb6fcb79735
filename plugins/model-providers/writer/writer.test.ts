import { modelProviderKit } from '../../../plugin-kit/model-provider/model-provider.kit.ts';
import { writerKit } from './kit.ts';

modelProviderKit(writerKit);
