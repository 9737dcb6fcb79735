import { modelProviderKit } from '../../../test/kits/model-provider.kit.ts';
import { writerKit } from './kit.ts';

modelProviderKit(writerKit);
