/** Runs in the child process for JavaScript: each program in an isolate of its own. */
import { createRequire } from 'node:module';
import type IsolatedVM from 'isolated-vm';
import { becomeNobody, ChildHost } from './child-host.ts';
import { IsolateSession } from './isolate-session.ts';
import { RECORD_MARK } from './kernel.ts';
import { Preparations } from './preparations.ts';
import type { Reply, Request } from './protocol.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

const [binary = '', settingsText = '', languagesText = ''] = process.argv.slice(2);
const settings: SandboxSettings = JSON.parse(settingsText);
const host = new ChildHost(settings, settings.rss_mb);
// Before the files of the parent cannot be read any more, and before any program is here.
const preparations = await Preparations.load(JSON.parse(languagesText));
const { ivm } = createRequire(import.meta.url)(binary) as { ivm: typeof IsolatedVM };

interface Current {
  readonly isolate: number;
  readonly session: IsolateSession;
}

let current: Current | undefined;
let before: Current | undefined;
/** Made while nobody waits. */
let spare: IsolateSession | undefined;

const newSession = (): IsolateSession => new IsolateSession(ivm, settings, host.onCatastrophe);

async function score({ isolate, program }: Request, bytes: Buffer): Promise<Reply | string> {
  const records = bytes.toString().split(RECORD_MARK);
  before = current;
  if (current?.isolate === isolate) return current.session.score(records, performance.now());
  const prepared = preparations.apply(program);
  if ('failed' in prepared) return prepared.failed;
  const session = spare ?? newSession();
  spare = undefined;
  const beganAt = performance.now();
  const unloaded = await session.load(prepared, beganAt);
  if (unloaded) {
    session.dispose();
    return unloaded;
  }
  current = { isolate, session };
  return session.score(records, beganAt);
}

function rest(): void {
  if (before !== current) before?.session.dispose();
  spare ??= newSession();
}

function forget(): void {
  current?.session.dispose();
  current = undefined;
}

becomeNobody();
spare = newSession();
host.serve({ score, rest, forget });
