/** Starts the interpreter once from nothing, and writes its memory to standard output: other processes start from that. */
import { createRequire } from 'node:module';
import type IsolatedVM from 'isolated-vm';
import { writeAll } from '../child-host.ts';
import { InterpreterSession } from './interpreter-session.ts';

const [binary = '', settingsText = '', , pyodide = ''] = process.argv.slice(2);
const { ivm } = createRequire(import.meta.url)(binary) as { ivm: typeof IsolatedVM };
const onCatastrophe = (): void => process.exit(1);
const session = await InterpreterSession.start({ ivm, settings: JSON.parse(settingsText), folder: pyodide, onCatastrophe });
writeAll(new Uint8Array(await session.makeImage()));
process.exit(0);
