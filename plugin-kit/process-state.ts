/** Objects that all plugins of a process share, and that a plugin is to leave alone. */
const PROTOTYPES = { Object, Array, Function, String, Number, Promise, Map, Set, Error, Date, RegExp } as const;
const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const;
const EVENTS = ['uncaughtException', 'unhandledRejection', 'exit', 'beforeExit', 'SIGTERM', 'SIGINT'] as const;

export interface ProcessState {
  /** Lists the changes so far, up to `restore`. */
  changes(): string[];
  /** Undoes what has changed, and gives the console back. */
  restore(): void;
}

/** Notes the environment, prototypes, folder and listeners of this process, and listens to the console, until `restore`. */
export function processState(): ProcessState {
  const printed: string[] = [];
  const { console } = globalThis;
  const methods = METHODS.map((name) => [name, console[name]] as const);
  for (const name of METHODS) console[name] = () => void printed.push(`console.${name}`);
  const env = { ...process.env };
  const prototypes = Object.entries(PROTOTYPES).map(([name, { prototype }]) => ({
    name,
    prototype,
    keys: Reflect.ownKeys(prototype),
  }));
  const folder = process.cwd();
  const listeners = EVENTS.map((event) => [event, process.listenerCount(event)] as const);
  let found: string[] | undefined;

  const changed = (): string[] => [
    ...new Set(printed),
    ...changedNames(env, process.env).map((name) => `process.env.${name}`),
    ...prototypes.flatMap(({ name, prototype, keys }) =>
      addedTo(prototype, keys).map((key) => `${name}.prototype.${String(key)}`),
    ),
    ...(process.cwd() === folder ? [] : ['the current folder']),
    ...listeners.filter(([event, count]) => process.listenerCount(event) !== count).map(([event]) => `listeners of "${event}"`),
  ];
  return {
    changes: () => found ?? changed(),
    restore() {
      found = changed();
      for (const [name, method] of methods) console[name] = method;
      for (const name of changedNames(env, process.env)) {
        if (env[name] === undefined) delete process.env[name];
        else process.env[name] = env[name];
      }
      for (const { prototype, keys } of prototypes)
        for (const key of addedTo(prototype, keys)) Reflect.deleteProperty(prototype, key);
      if (process.cwd() !== folder) process.chdir(folder);
    },
  };
}

const addedTo = (prototype: object, keys: readonly PropertyKey[]): PropertyKey[] =>
  Reflect.ownKeys(prototype).filter((key) => !keys.includes(key));

const changedNames = (before: NodeJS.ProcessEnv, after: NodeJS.ProcessEnv): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);
