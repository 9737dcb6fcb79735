import type { ApiCall } from './api-calls.ts';

export interface Operation {
  readonly method: string;
  /** As the OpenAPI document has it. */
  readonly path: string;
  readonly id: string;
}

/** The operations that a call is of: put-in segments are parameters, or, where no operation has one there, names. */
export function listOperations({ method, path }: ApiCall, operations: readonly Operation[]): Operation[] {
  const same = operations.filter((one) => one.method === method);
  const byParameters = same.filter((one) => fits(path, one.path, (segment) => segment.startsWith('{')));
  return byParameters.length > 0 ? byParameters : same.filter((one) => fits(path, one.path, () => true));
}

function fits(called: string, path: string, isPutIn: (segment: string) => boolean): boolean {
  const isOpen = called.startsWith('**/');
  const wanted = called.replace(/^\*\*/, '').split('/').slice(1);
  const all = path.replace(/^\/v2/, '').split('/').slice(1);
  if (isOpen ? all.length < wanted.length + 1 : all.length !== wanted.length) return false;
  return wanted.every((segment, at) => {
    const there = all[all.length - wanted.length + at]!;
    if (segment === '{}') return isPutIn(there);
    if (!segment.includes('*')) return segment === there;
    return new RegExp(`^${segment.replaceAll('*', '[\\w-]*')}$`).test(there);
  });
}
