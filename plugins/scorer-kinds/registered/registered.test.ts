import { scorerKindKit } from '../../../plugin-kit/scorer-kind/scorer-kind.kit.ts';
import { registeredKit } from './kit.ts';

scorerKindKit(registeredKit);
