/** The result of a search in words: a verdict, and one line per property. */

import { formatFigure } from '@hustings/base';
import type { CheckResult } from '@hustings/study/checker';

/** The property that every handler returns. */
const HANDLER = 'handler';

export interface PropertyLine {
  readonly mark: '✓' | '✗' | '–';
  readonly name: string;
  readonly text: string;
}

export interface CheckVerdict {
  readonly kind: 'holds' | 'violated' | 'unknown';
  readonly text: string;
  readonly lines: readonly PropertyLine[];
}

/** The verdict on a violation. The error of a handler may be long: it stands at its line and in the list of properties. */
export function violationText({
  property,
  text,
}: {
  readonly property: string;
  readonly text: string;
}): string {
  if (property === HANDLER) return 'There is a schedule in which a handler fails.';
  return `There is a schedule that violates ${property}: ${text}.`;
}

/** The verdict on searches without a violation. `where` begins with a space: ' on 2 to 4 nodes'. */
export function holdsText(where: string): string {
  return `Every schedule${where} elects one leader.`;
}

/** A complete result is a proof for the network that was searched; every other result says that it is none. */
export function verdictOf(result: CheckResult): CheckVerdict {
  const [violation] = result.violations;
  if (violation !== undefined) {
    return {
      kind: 'violated',
      text: violationText(violation),
      lines: linesOf(result),
    };
  }
  if (result.stopped !== null) {
    return {
      kind: 'unknown',
      text: `Stopped at ${formatFigure(result.states)} states, ${depthText(result)}: no violation found so far. This is not a proof.`,
      lines: linesOf(result),
    };
  }
  if (isCompleteWithinBounds(result)) {
    return {
      kind: 'unknown',
      text: 'No schedule within the bounds violates a property. Beyond them nothing was searched.',
      lines: linesOf(result),
    };
  }
  if (!result.complete) {
    return {
      kind: 'unknown',
      text: 'No violation was found, but not everything was checked. This is not a proof.',
      lines: linesOf(result),
    };
  }
  if (result.vacuous) {
    return {
      kind: 'unknown',
      text: 'No schedule violates a property, but nobody is elected in any of them.',
      lines: linesOf(result),
    };
  }
  const networks =
    result.instances.all === 1 ? '' : ` on each of ${formatFigure(result.instances.all)} instances`;
  return {
    kind: 'holds',
    text: holdsText(networks),
    lines: linesOf(result),
  };
}

function depthText({ completeDepth }: CheckResult): string {
  if (completeDepth === null) return 'before all initial states were met';
  return `complete to depth ${formatFigure(completeDepth)}`;
}

/** The search ended, and nothing but bounds cut it. */
function isCompleteWithinBounds({ cut, exact, stopped, termination }: CheckResult): boolean {
  return stopped === null && cut > 0 && (exact || termination !== 'unchecked');
}

/** The preset and what it switches off, and the parameters that the search has made small; null if there is neither. */
export function scopeText({ leastParams, params, preset }: CheckResult): string | null {
  const texts = [
    ...(preset === null ? [] : [`Preset ${preset.name}${preset.off === null ? '' : `: ${preset.off}`}.`]),
    ...(leastParams.length === 0
      ? []
      : [
          `Lengths of timers make no difference here, so ${leastParams.map((name) => `${name} = ${params[name]}`).join(', ')}.`,
        ]),
  ];
  return texts.length === 0 ? null : texts.join(' ');
}

const TERMINATION_TEXTS: Readonly<Record<CheckResult['termination'], string>> = {
  sure: 'every fair run ends with a leader',
  'almost-sure': 'every fair run ends with probability 1',
  violated: 'some fair run never ends',
  unchecked: 'not checked',
};

function linesOf(result: CheckResult): PropertyLine[] {
  const { complete, invariants, stopped, termination, violations } = result;
  const broken = violations[0]?.property;
  const safe = (name: string, holds: string): PropertyLine =>
    broken === name
      ? { mark: '✗', name, text: violations[0].text }
      : broken !== undefined || stopped !== null || !complete
        ? { mark: '–', name, text: 'not violated in the states that were searched' }
        : { mark: '✓', name, text: holds };
  const isEndViolated = broken === 'termination' || broken === 'livelock' || termination === 'violated';
  return [
    ...(broken === HANDLER ? [{ mark: '✗', name: HANDLER, text: violations[0].text } as const] : []),
    safe('uniqueness', 'never two leaders of one term'),
    safe('agreement', 'all live nodes name the same leader at the end'),
    isEndViolated
      ? { mark: '✗', name: 'termination', text: violations[0]?.text ?? TERMINATION_TEXTS.violated }
      : {
          mark: termination === 'unchecked' || broken !== undefined ? '–' : '✓',
          name: 'termination',
          text: broken === undefined ? TERMINATION_TEXTS[termination] : 'not checked: the search ended here',
        },
    ...invariants.map((name) => safe(name, 'an invariant of the algorithm')),
  ];
}
