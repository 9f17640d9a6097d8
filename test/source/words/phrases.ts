/**
 * The phrases that this project does not use, each with what to write instead. They are matched as whole words, in any
 * case, and across a line break in a comment.
 */
import { lineAt } from '../scan.ts';
import type { SourceFile } from '../source-file.ts';

/** A pattern is a regular expression in which a space stands for any white space and the leader of a comment line. */
type Phrase = readonly [pattern: string, instead: string];

const DIALECT: readonly Phrase[] = [
  ['so (?:much|many)', 'the quantity itself'],
  ['so long(?! as)', 'the duration itself'],
  ['as (?:the )?\\w+ ha(?:s|ve) it', '"according to"'],
  ['(?:is|are|was|not) a matter of', '"depends on" or "takes"'],
  ['(?:is|are) there for', 'the purpose, with "for" or "to"'],
  ['comes? to', '"reaches", "is" or "amounts to"'],
  ['anew', '"again"'],
  ['for ever', '"forever" or "without end"'],
  ['mend(?:s|ed|ing)?', '"fix", "correct" or "repair"'],
  ['dearest', '"most expensive"'],
  ['by lot', '"at random"'],
  ['lots', '"random draws"'],
  ['(?:the )?surroundings', '"environment"'],
  ['look(?:s|ed|ing)? into', '"check"'],
  ['wak(?:e|es|ing) up to', '"notices"'],
  ['by (?:its|their|his) own words?', '"as declared"'],
  ['stands? for all', '"represents all" or "partial-order reduction"'],
  ['for which others stand', '"redundant"'],
  ['whoever', 'the noun'],
  ['nobody is registered', '"there are no candidates"'],
  ['expected [^\'"`\\n]*, got', 'the idiom "X must be Y, not Z"'],
];

const OLD_NAMES: readonly Phrase[] = [
  ['chances', '"probabilities"'],
  ['costly', '"expensive"'],
  ['timely', '"bounded-delay"'],
  ["timing: 'async'", "timing: 'asynchronous'"],
  ["timing: 'rounds'", "timing: 'synchronous'"],
  ['(?:time|fail|take|hand)-(?:out|over)s?', 'one word: timeout, failover, takeover, handover'],
  ['leaderKnows|lastKnows', '"electedAt", "agreedAt"'],
  ['(?:soft|hard|renew|request|beat|grace)Ms', 'the name that says what happens after that time'],
  ['heirs?|rivals?', '"successor", "challenger"'],
  ['HUSTINGS_TERM', 'HUSTINGS_NONCE'],
  ['setStage|StagePlay|SurroundingsError|whenReached|watchedFor', 'the name of the field'],
];

/** Comments that begin with a genitive without its noun. Case counts: a line of a comment may begin with "of". */
const FRAGMENTS: readonly Phrase[] = [
  ['(?:/\\*\\*|//|(?<!\\*)\\*) Of', 'the noun: "The sender\'s port.", not "Of the sender."'],
  ['Of [^.,;:\\n]{1,40}:', 'the noun, or "In" or "For"'],
];

const GAP = '(?:\\s|\\n\\s*(?:\\*|//|#|>))+';

const compile = ([pattern, instead]: Phrase, hasCase = false) => ({
  instead,
  // The name of a variable of the environment counts in capitals only: hustings_term is a table.
  regexp: new RegExp(
    `(?<![\\w/-])(?:${pattern.replaceAll(' ', GAP)})(?![\\w-])`,
    hasCase || /^[A-Z_]+$/.test(pattern) ? 'g' : 'gi',
  ),
});

const COMPILED = [
  ...[...DIALECT, ...OLD_NAMES].map((phrase) => compile(phrase)),
  ...FRAGMENTS.map((phrase) => compile(phrase, true)),
];

export function bannedPhrases(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    COMPILED.flatMap(({ regexp, instead }) =>
      [...text.matchAll(regexp)].map(
        (match) =>
          `${path}:${lineAt(text, match.index)} "${match[0].replace(/\s+/g, ' ')}": write ${instead}`,
      ),
    ),
  );
}
