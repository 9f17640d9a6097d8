/** What is known of a text after some events of the sandbox. */
import type { CodeProblem } from '../../model/write/code-problem.ts';
import { ANY_HANDLER, type OwnCodeReply } from '../../model/write/own-code.ts';
import type { HandlerPlace } from './code/source-tree.ts';
import type { SandboxEvent } from './sandbox/sandbox.ts';

export type RunReply = Extract<OwnCodeReply, { type: 'ran' }>;
export type CheckedReply = Extract<OwnCodeReply, { type: 'checked' | 'skipped' }>;

/** What a run and searches have shown of a text. */
export interface Findings {
  /** Errors that were thrown at a known line. */
  readonly problems: readonly CodeProblem[];
  readonly run: RunReply | null;
  readonly checked: readonly CheckedReply[];
  /** Why the sampled run has no leader; null if it has one. */
  readonly runFailure: string | null;
  /** What went wrong without a line, or a handler that did not return; null if nothing. */
  readonly failure: string | null;
  readonly isOver: boolean;
}

export const NOTHING: Findings = {
  problems: [],
  run: null,
  checked: [],
  runFailure: null,
  failure: null,
  isOver: false,
};

/** One more event of the sandbox. */
export function withEvent(
  findings: Findings,
  event: Exclude<SandboxEvent, { type: 'alive' }>,
  handlers: readonly HandlerPlace[],
): Findings {
  switch (event.type) {
    case 'again':
      return NOTHING;
    case 'ran':
      return { ...findings, run: event };
    case 'checked':
    case 'skipped':
      return { ...findings, checked: [...findings.checked, event] };
    case 'failed': {
      const isOver = event.stage === 'load';
      if (event.stage === 'run' && event.line === null) return { ...findings, runFailure: `${event.text}.` };
      if (event.line === null) return { ...findings, failure: `${event.text}.`, isOver };
      const problem = { line: event.line, text: event.text };
      return { ...findings, problems: [...findings.problems, problem], isOver };
    }
    case 'hung':
      return { ...findings, failure: hungText(event.handler, handlers), isOver: true };
    case 'died':
      return { ...findings, failure: `The worker was ended: ${event.text}.`, isOver: true };
    case 'done':
      return { ...findings, isOver: true };
  }
}

function hungText(handler: string | null, handlers: readonly HandlerPlace[]): string {
  if (handler === null) return 'The code did not return while it was loaded. The worker was ended.';
  if (handler === ANY_HANDLER) return 'A handler of the algorithm did not return. The worker was ended.';
  const place = handlers.find(({ name }) => name === handler);
  const line = place === undefined ? '' : ` (line ${place.line})`;
  return `The algorithm did not return from \`${handler}\`${line}. The worker was ended.`;
}
