/**
 * The parameters of an algorithm. Each has a range and a default, which may depend on n. The declaration determines the
 * check of given values, the description of the algorithm, and the type of `ctx.params`.
 */
import { suggestion } from '@hustings/base';
import { InputError } from './errors.ts';

/** The value of a parameter. */
export type Setting = number | boolean | string;

/** The end of a range: a number, or a function of the number of nodes. */
export type ParamLimit = number | ((n: number) => number);

/** The declaration of a parameter. */
export interface Param<V extends Setting> {
  readonly kind: 'integer' | 'flag' | 'choice';
  readonly about: string;
  readonly min: ParamLimit;
  readonly max: ParamLimit;
  readonly names: readonly string[];
  /** The default, which may depend on n. */
  readonly byDefault: V | ((n: number) => V);
  /** Only the lengths of timers depend on it, so an asynchronous search takes its least value. */
  readonly onlyTimers?: true;
}

/** The parameters of an algorithm by name. */
export type Params = Readonly<Record<string, Param<Setting>>>;

type Widened<V> = V extends boolean ? boolean : V extends number ? number : V;

/** The values of all parameters, with their types. */
export type Settings<P extends Params> = {
  readonly [K in keyof P]: P[K] extends Param<infer V> ? Widened<V> : never;
};

/** One round trip in lockstep. */
export const DEFAULT_TIMEOUT = 2;

/** The units after which the sender of a message to a crashed node is notified: the parameter `timeout`, if there is one. */
export function timeoutOf({ timeout }: Readonly<Record<string, Setting>>): number {
  return typeof timeout === 'number' ? timeout : DEFAULT_TIMEOUT;
}

/** A whole number within a range. */
export function integer(
  about: string,
  range: { min: ParamLimit; max: ParamLimit; byDefault: ParamLimit; onlyTimers?: true },
): Param<number> {
  return { kind: 'integer', about, names: [], ...range };
}

/** A flag. */
export function onOff(about: string, byDefault = false): Param<boolean> {
  return { kind: 'flag', about, min: 0, max: 1, names: [], byDefault };
}

/** One of several names; the first is the default. */
export function oneOf<const N extends readonly string[]>(about: string, names: N): Param<N[number]> {
  return { kind: 'choice', about, min: 0, max: names.length - 1, names, byDefault: names[0] as N[number] };
}

/** The least values of the parameters that only set the lengths of timers. */
export function leastTimerParams(params: Params, n: number): Record<string, Setting> {
  const timing = Object.entries(params).filter(([, { onlyTimers }]) => onlyTimers === true);
  return Object.fromEntries(timing.map(([name, { min }]) => [name, edgeAt(min, n)]));
}

/** The valid values of a parameter in a run of n nodes, for people. */
export function rangeOf(param: Param<Setting>, n: number): string {
  if (param.kind === 'integer')
    return `a whole number from ${edgeAt(param.min, n)} to ${edgeAt(param.max, n)}`;
  return param.kind === 'flag' ? 'true or false' : `one of ${param.names.join(', ')}`;
}

function edgeAt(edge: ParamLimit, n: number): number {
  return typeof edge === 'function' ? edge(n) : edge;
}

function defaultAt({ byDefault }: Param<Setting>, n: number): Setting {
  return typeof byDefault === 'function' ? byDefault(n) : byDefault;
}

/** The parameters whose values are not the defaults for n nodes, for people: 'extremum = min'. */
export function changedParams(
  params: Params,
  n: number,
  values: Readonly<Record<string, Setting>>,
): string[] {
  return Object.entries(params)
    .filter(([name, param]) => values[name] !== defaultAt(param, n))
    .map(([name]) => `${name} = ${values[name]}`);
}

function parse(param: Param<Setting>, n: number, given: unknown): Setting | undefined {
  if (param.kind === 'flag') {
    if (given === true || given === 'true') return true;
    return given === false || given === 'false' ? false : undefined;
  }
  if (param.kind === 'choice') return param.names.find((name) => name === given);
  const value = typeof given === 'string' && /^-?\d+$/.test(given) ? Number(given) : given;
  const isInRange = Number(value) >= edgeAt(param.min, n) && Number(value) <= edgeAt(param.max, n);
  return Number.isSafeInteger(value) && isInRange ? (value as number) : undefined;
}

/** The value of every parameter, given or default. Throws for names and values that are not declared. */
export function resolveParams(
  owner: string,
  params: Params,
  n: number,
  given: Readonly<Record<string, unknown>>,
): Record<string, Setting> {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(params, name)) continue;
    const known = Object.keys(params);
    const has = known.length > 0 ? `it has ${known.join(', ')}` : 'it has none';
    throw new InputError(`${owner} has no parameter '${name}': ${has}${suggestion(name, known)}`);
  }
  const settings: Record<string, Setting> = {};
  for (const [name, param] of Object.entries(params)) {
    const raw = given[name];
    if (raw === undefined) {
      settings[name] = defaultAt(param, n);
      continue;
    }
    const value = parse(param, n, raw);
    if (value === undefined) {
      const among =
        typeof param.min === 'function' || typeof param.max === 'function' ? ` for ${n} nodes` : '';
      throw new InputError(`${name} of ${owner} must be ${rangeOf(param, n)}${among}, not '${String(raw)}'`);
    }
    settings[name] = value;
  }
  return settings;
}
