/** Loads the algorithm that a user's file exports, and adds the line of the source to its errors. */
import { statSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { errorMessage } from '@hustings/base';
import { reasonOf } from '@hustings/base/command/exit';
import { checkDefinition } from '../../kernel/driver.ts';
import { type AnyAlgorithm, type Field, InputError, type Law, type MessageType } from '../../kernel/index.ts';
import { Bundle, BundleError, type CarriedFile } from './algorithm-bundle.ts';
import { invariantCopy } from './invariant-copy.ts';
import { watch } from './watchdog.ts';

const ENDINGS = ['.ts', '.mts', '.js', '.mjs'];
const IMPORT_LIMIT_MS = 20_000;

export async function loadAlgorithm(path: string): Promise<AnyAlgorithm> {
  return algorithmOf(path, await bundleOf(path));
}

/** The file as data, for another machine. */
export async function carryFile(path: string): Promise<CarriedFile> {
  return (await bundleOf(path)).carry(path);
}

/** The algorithm of a file that was bundled on another machine. */
export function carriedAlgorithm(file: CarriedFile): Promise<AnyAlgorithm> {
  return algorithmOf(file.path, Bundle.carried(file));
}

async function bundleOf(path: string): Promise<Bundle> {
  refuseUnreadable(path);
  return Bundle.of(path).catch((error) => {
    throw error instanceof BundleError ? new InputError(error.message, { cause: error }) : error;
  });
}

async function algorithmOf(path: string, bundle: Bundle): Promise<AnyAlgorithm> {
  const defined = new WeakMap<object, string>();
  const algorithm = chosen(path, await importOnce(path, bundle, defined));
  try {
    checkDefinition(algorithm);
  } catch (error) {
    throw new InputError(`${defined.get(algorithm) ?? path}: ${errorMessage(error)}`, { cause: error });
  }
  return located(algorithm, bundle);
}

function refuseUnreadable(path: string): void {
  const refuse = (why: string, remedy: string): never => {
    throw new InputError(`'${path}' must be a file that exports an algorithm (${why}): ${remedy}`);
  };
  const remedy = 'correct the path';
  try {
    const isDirectory = statSync(path).isDirectory();
    if (isDirectory) refuse('it is a directory', 'name the file in it');
  } catch (error) {
    if (error instanceof InputError) throw error;
    refuse(reasonOf(error), remedy);
  }
  if (!ENDINGS.some((ending) => path.endsWith(ending))) {
    refuse('its name has another ending', `use ${ENDINGS.join(', ')}`);
  }
}

/** Runs the file. Records in `defined` where each algorithm was defined, for errors of its declaration. */
async function importOnce(path: string, bundle: Bundle, defined: WeakMap<object, string>): Promise<object> {
  const defineAlgorithm = (algorithm: AnyAlgorithm): AnyAlgorithm => {
    const place = bundle.placeOf(new Error());
    if (place !== null && typeof algorithm === 'object') defined.set(algorithm, place);
    return algorithm;
  };
  const doors = Object.fromEntries(
    Object.entries(await bundle.doors()).map(([door, names]) => [
      door,
      'defineAlgorithm' in names ? { ...names, defineAlgorithm } : names,
    ]),
  );
  const ended = (() => {
    try {
      return watch(() => bundle.run(doors), IMPORT_LIMIT_MS);
    } catch (error) {
      throw new InputError(`${bundle.placeOf(error) ?? path}: ${errorMessage(error)}`, { cause: error });
    }
  })();
  if (ended.ended) return ended.value;
  throw new InputError(`${path}: the import has not finished after ${IMPORT_LIMIT_MS / 1000} s`);
}

/** The default export, or the only exported algorithm. */
function chosen(path: string, exported: object): AnyAlgorithm {
  const found = Object.entries(exported).filter(([, value]) => looksLikeOne(value));
  const byDefault = found.find(([name]) => name === 'default');
  if (byDefault !== undefined) return byDefault[1];
  if (new Set(found.map(([, value]) => value)).size === 1) return found[0][1];
  if (found.length > 1) {
    const names = found.map(([name]) => name).join(', ');
    throw new InputError(
      `${path} must export one algorithm, not ${found.length} (${names}): export one of them as default`,
    );
  }
  const names = Object.keys(exported).join(', ') || 'nothing';
  throw new InputError(
    `${path} must export an algorithm, not ${names}: write export const name = defineAlgorithm({ … })`,
  );
}

/** True also for an incomplete algorithm: checkDefinition says what is missing. */
function looksLikeOne(value: unknown): value is AnyAlgorithm {
  if (typeof value !== 'object' || value === null) return false;
  return ['assumes', 'messages', 'onStart', 'on'].filter((key) => key in value).length >= 2;
}

/** The same algorithm; an error of one of its functions names the place in the user's file. */
function located(algorithm: AnyAlgorithm, bundle: Bundle): AnyAlgorithm {
  const noted = new WeakSet<object>();
  const note = (error: unknown): unknown => {
    const place = bundle.placeOf(error);
    if (place === null || !(error instanceof Error) || noted.has(error)) return error;
    error.message += ` (${place})`;
    noted.add(error);
    return error;
  };
  /** Errors of handlers are results of the run; errors of the other functions of an algorithm are bad input. */
  const placed = <A extends readonly unknown[], R>(
    work: ((...given: A) => R) | undefined,
    outside?: string,
  ) =>
    work &&
    ((...given: A): R => {
      try {
        return work.apply(algorithm, given as never);
      } catch (error) {
        const named = note(error);
        if (outside === undefined || error instanceof InputError) throw named;
        const text = `algorithm ${algorithm.name}: ${outside} failed: ${errorMessage(named)}`;
        throw new InputError(text, { cause: error });
      }
    });
  const each = <V, W>(
    record: Readonly<Record<string, V>>,
    change: (value: V, name: string) => W,
  ): Record<string, W> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
  const limitThat = (limit: Field<unknown>['limit'], name: string): Field<unknown>['limit'] =>
    typeof limit === 'function' ? (placed(limit, `the limit of ${name}`) ?? limit) : limit;
  const fieldThat = (field: Field<unknown>, name: string): Field<unknown> => ({
    ...field,
    limit: limitThat(field.limit, name),
    largestItem: limitThat(field.largestItem, name),
  });
  return defined({
    ...algorithm,
    onStart: placed(algorithm.onStart),
    on: each(algorithm.on, handlerThat(note, algorithm)),
    onTimer: placed(algorithm.onTimer),
    onUndelivered: placed(algorithm.onUndelivered),
    onRestart: placed(algorithm.onRestart),
    invariants:
      algorithm.invariants &&
      invariantCopy(algorithm.invariants, (name, holds) => placed(holds, `invariant ${name}`) ?? holds),
    state: each(algorithm.state, fieldThat),
    messages: each(algorithm.messages, (type: MessageType) => ({
      ...type,
      fields: type.fields.map(([name, field]) => [name, fieldThat(field, name)] as const),
    })),
    passive: placed(algorithm.passive, 'passive'),
    phase: placed(algorithm.phase, 'phase'),
    fragment: placed(algorithm.fragment, 'fragment'),
    tree: placed(algorithm.tree, 'tree'),
    weight: placed(algorithm.weight, 'weight'),
    overlay: placed(algorithm.overlay, 'overlay'),
    horizon: placed(algorithm.horizon, 'horizon'),
    standing: placed(algorithm.standing, 'standing'),
    laws: algorithm.laws.map((law: Law) => ({ ...law, value: placed(law.value, `law ${law.formula}`) })),
  });
}

type Handler = AnyAlgorithm['on'][string];

/**
 * As `placed`, with four named arguments, because it is called for every message. Each handler gets code of its own: V8 collects
 * the types of calls by code, and inlines a handler only into code that calls no other.
 */
const handlerThat =
  (note: (error: unknown) => unknown, algorithm: AnyAlgorithm) =>
  (handler: Handler, name: string): Handler =>
    compileFunction(WRAPPER, ['handler', 'self', 'note'], { filename: `hustings-call:${name}` })(
      handler,
      algorithm.on,
      note,
    );

const WRAPPER = `
  return (state, port, message, ctx) => {
    try {
      return handler.call(self, state, port, message, ctx);
    } catch (error) {
      throw note(error);
    }
  };`;

/** Removes undefined values, because drivers test whether a key exists. */
function defined(algorithm: Readonly<Record<string, unknown>>): AnyAlgorithm {
  return Object.fromEntries(
    Object.entries(algorithm).filter(([, value]) => value !== undefined),
  ) as unknown as AnyAlgorithm;
}
