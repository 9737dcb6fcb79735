import { scorerKindKit } from '../../../test/kits/scorer-kind.kit.ts';
import { registeredKit } from './kit.ts';

scorerKindKit(registeredKit);
