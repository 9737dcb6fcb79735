import { afterAll } from 'vitest';
import { endShared } from './shared-by-file.ts';

afterAll(endShared);
