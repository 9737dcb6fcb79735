import { langfuse } from './langfuse/index.ts';
import { langsmith } from './langsmith/index.ts';
import type { Product } from './shapes.ts';

export const PRODUCTS: readonly Product[] = [langfuse, langsmith];
