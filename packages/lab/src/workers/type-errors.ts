/**
 * The type errors of an algorithm, by TypeScript's language service. The service keeps what it has parsed: only the reader's
 * text is parsed again.
 */
import type ts from 'typescript6';
import type { CodeProblem } from '../model/write/code-problem.ts';

/** Declarations by path: those of the language in /lib, those of the kernel in /kernel, those of the base in /base. */
export type Declarations = Readonly<Record<string, string>>;

const OWN = '/own.ts';
const AMBIENT = '/ambient.d.ts';
/** A worker has a console, which the library of the language does not declare. */
const AMBIENT_TEXT = `declare const console: Record<'debug' | 'error' | 'info' | 'log' | 'warn', (...data: unknown[]) => void>;
`;
const MAX_PROBLEMS = 50;
const MAX_TEXT = 400;

/** Loads the declarations once. The result finds the type errors of a text, in the order of its lines. */
export function typeErrorsBy(
  compiler: typeof ts,
  declarations: Declarations,
): (text: string) => CodeProblem[] {
  let own = '';
  let version = 0;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: compiler.ScriptTarget.ES2022,
    module: compiler.ModuleKind.ESNext,
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts'],
    types: [],
    paths: { '@hustings/study/kernel': ['/kernel/index.d.ts'], '@hustings/base': ['/base/index.d.ts'] },
  };
  const read = (path: string): string | undefined =>
    path === OWN ? own : path === AMBIENT ? AMBIENT_TEXT : declarations[path];
  const service = compiler.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [OWN, AMBIENT],
    getScriptVersion: (path) => (path === OWN ? String(version) : '0'),
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : compiler.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/lib/lib.es2023.d.ts',
    fileExists: (path) => read(path) !== undefined,
    readFile: read,
  });
  return (text) => {
    own = text;
    version++;
    const found = [...service.getSyntacticDiagnostics(OWN), ...service.getSemanticDiagnostics(OWN)];
    return found
      .map(({ file, messageText, start = 0 }) => ({
        line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
        text: shortText(compiler.flattenDiagnosticMessageText(messageText, '\n')),
      }))
      .sort((a, b) => a.line - b.line)
      .slice(0, MAX_PROBLEMS);
  };
}

/** What must be assumed for a member of the context. */
const NEEDS: Readonly<Record<string, string>> = {
  id: "ids: 'unique'",
  n: "knows: ['n']",
  diameter: "knows: ['diameter']",
  neighbour: "knows: ['neighbours']",
  now: "knows: ['time']",
};

/** A message may be a chain of reasons, each one deeper: the first and the last say most. */
function shortText(chain: string): string {
  const reasons = chain.split('\n').map((reason) => reason.trim().replace(/\.$/, ''));
  const whole = reasons.length === 1 ? reasons[0] : `${reasons[0]}: ${reasons[reasons.length - 1]}`;
  // The type of a context has all declarations of the algorithm in it.
  const text = whole.replace(/'(Context|Verbs|Algorithm|View)<.*>'/g, "'$1'");
  const [, member] = /^Property '(\w+)' does not exist on type '(?:Context|Verbs)'/.exec(text) ?? [];
  if (member !== undefined && Object.hasOwn(NEEDS, member))
    return `${text}: \`assumes\` needs ${NEEDS[member]}`;
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
