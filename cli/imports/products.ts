import { langfuse } from './langfuse/index.ts';
import { langsmith } from './langsmith/index.ts';
import { mlflow } from './mlflow/index.ts';
import { phoenix } from './phoenix/index.ts';
import type { Product } from './shapes.ts';

export const PRODUCTS: readonly Product[] = [langfuse, langsmith, mlflow, phoenix];
