import { matrixPart } from './matrix-part.ts';

matrixPart(1, 4);
