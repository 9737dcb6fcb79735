import { matrixPart } from './matrix-part.ts';

matrixPart(0, 4);
