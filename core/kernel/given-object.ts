import { z } from 'zod';
import type { JsonObject } from './json.ts';

const isMap = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object of any fields, handed on as it was sent. Other schemas make a copy, and leave keys such as `__proto__` out of it. */
export const GivenObject = z
  .custom<JsonObject>(isMap, { message: 'expected an object' })
  .meta({ type: 'object', additionalProperties: {} });
