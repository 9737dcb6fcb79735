/** Runs in the child process for Python: one interpreter, whose memory is put back after each call. */
import { createRequire } from 'node:module';
import type IsolatedVM from 'isolated-vm';
import { becomeNobody, ChildHost } from '../child-host.ts';
import { Preparations } from '../preparations.ts';
import type { Reply, Request } from '../protocol.ts';
import type { SandboxSettings } from '../sandbox-settings.ts';
import { InterpreterSession } from './interpreter-session.ts';

const [binary = '', settingsText = '', languagesText = '', pyodide = ''] = process.argv.slice(2);
const settings: SandboxSettings = JSON.parse(settingsText);
const host = new ChildHost(settings, settings.python_rss_mb);
const preparations = await Preparations.load(JSON.parse(languagesText));
const { ivm } = createRequire(import.meta.url)(binary) as { ivm: typeof IsolatedVM };
const { onCatastrophe } = host;
const session = await InterpreterSession.start({ ivm, settings, folder: pyodide, image: await host.firstFrame(), onCatastrophe });
await session.seal();

let current: number | undefined;
let isClean = true;

async function score({ isolate, program }: Request, records: Buffer): Promise<Reply | string> {
  const beganAt = performance.now();
  if (current === isolate) return session.score(records, beganAt);
  const prepared = preparations.apply(program);
  if ('failed' in prepared) return prepared.failed;
  forget();
  isClean = false;
  const unloaded = await session.load(prepared, beganAt);
  if (unloaded) return unloaded;
  current = isolate;
  return session.score(records, beganAt);
}

/** Puts the memory back: what the last call left behind is gone before anything else runs. */
function forget(): void {
  current = undefined;
  if (!isClean) session.reset();
  isClean = true;
}

becomeNobody();
host.serve({ score, rest: () => current === undefined && forget(), forget });
