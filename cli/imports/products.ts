import { langfuse } from './langfuse/index.ts';
import type { Product } from './shapes.ts';

export const PRODUCTS: readonly Product[] = [langfuse];
