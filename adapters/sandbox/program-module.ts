import type IsolatedVM from 'isolated-vm';
import { errorText, findErrorPlace } from './error-text.ts';

interface CompiledModule {
  /** Undefined when it exports no function. */
  run(timeout: number): Promise<IsolatedVM.Reference | undefined>;
}

/** A program that is no script, as a module. Of the two complaints the one further down is about the author's mistake. */
export async function compileModule(
  isolate: IsolatedVM.Isolate,
  context: IsolatedVM.Context,
  source: string,
  filename: string,
  scriptError: unknown,
): Promise<CompiledModule | { readonly mistake: string }> {
  let module: IsolatedVM.Module;
  try {
    module = await isolate.compileModule(source, { filename });
  } catch (error) {
    const isNearer = findErrorPlace(error, filename).line < findErrorPlace(scriptError, filename).line;
    return { mistake: errorText(isNearer ? scriptError : error, filename) };
  }
  if (module.dependencySpecifiers.length > 0) return { mistake: 'a scorer cannot import anything' };
  await module.instantiate(context, () => Promise.reject(new Error('a scorer cannot import anything')));
  return {
    async run(timeout) {
      await module.evaluate({ timeout });
      return (await exported(module, 'default')) ?? (await exported(module, 'scorer'));
    },
  };
}

/** Undefined also for an export that has no value yet, because the module awaits something that never comes. */
async function exported(module: IsolatedVM.Module, name: string): Promise<IsolatedVM.Reference | undefined> {
  const found: IsolatedVM.Reference | undefined = await module.namespace.get(name, { reference: true }).catch(() => undefined);
  return found?.typeof === 'function' ? found : undefined;
}
