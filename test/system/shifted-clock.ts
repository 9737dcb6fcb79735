/** Loaded into a process by `--import`: its wall clock is wrong by `CLOCK_SHIFT_MS`. Timers keep their pace. */
const shift = Number(process.env.CLOCK_SHIFT_MS);
const now = (): number => RightDate.now() + shift;
const RightDate = Date;

globalThis.Date = new Proxy(RightDate, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
