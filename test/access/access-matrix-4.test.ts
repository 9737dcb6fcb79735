import { matrixPart } from './matrix-part.ts';

matrixPart(3, 4);
