import { matrixPart } from './matrix-part.ts';

matrixPart(2, 4);
