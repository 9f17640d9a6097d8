import { formatFigure } from '@hustings/base';
import { holdsText, violationText } from '../../model/check/verdict.ts';
import type { TypeReport } from '../../model/write/code-problem.ts';
import type { Trail } from '../../model/write/own-code.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { VerdictText } from '../views/verdict-text.tsx';
import type { CheckedReply } from './findings.ts';
import { TrailDiagram } from './trail-diagram.tsx';
import type { WriteStore } from './write-store.ts';

/** The verdict on the text, and its counterexample. */
export function VerdictPanel({ store }: { readonly store: WriteStore }) {
  const { checked, isOver, run, runFailure, ...findings } = store.findings.value;
  const problems = [...store.errors.value, ...findings.problems];
  const trail = store.trail.value;
  if (store.linked.value !== null) {
    return (
      <section class="write-verdict" aria-label="Verdict">
        <Notice
          kind="empty"
          text="This code came with the link. Read it first: it runs in a sandbox without network and storage."
        >
          <Button kind="main" onClick={() => store.acceptLinked()}>
            Run this code
          </Button>
        </Notice>
      </section>
    );
  }
  // A counterexample says more than a run that fails.
  const failure = findings.failure ?? (isOver && trail === null ? runFailure : null);
  const isEmpty = !isOver && run === null && problems.length === 0;
  return (
    <section
      class="write-verdict"
      aria-label="Verdict"
      data-stale={store.isStale.value}
      aria-busy={store.isStale.value || !isOver}
    >
      {isEmpty && <Searching store={store} />}
      {failure !== null && (
        <Notice kind="error" text={failure}>
          <Button onClick={() => store.run()}>Run again</Button>
        </Notice>
      )}
      {problems.map(({ line, text }) => (
        <p key={`${line} ${text}`} class="write-problem">
          Line {line}: {text}.
        </p>
      ))}
      {trail !== null && <TrailView store={store} trail={trail} />}
      {trail === null && checked.length > 0 && <Holds checked={checked} isOver={isOver} />}
      {checked.length > 0 && <Counts checked={checked} />}
      {!isOver && !isEmpty && <Searching store={store} />}
      <TypeErrors report={store.types.value} />
    </section>
  );
}

/** Type errors are warnings: the run has no types. */
function TypeErrors({ report }: { readonly report: TypeReport | null }) {
  if (report === null || (report.type === 'checked' && report.problems.length === 0)) return null;
  if (report.type === 'missing') {
    return (
      <p class="caption">
        Types are not checked: run <code>npm install typescript@6</code> where hustings is installed, then
        reload.
      </p>
    );
  }
  if (report.type === 'failed') return <p class="caption">Types are not checked: {report.text}.</p>;
  return (
    <section class="write-types" aria-label="Type errors">
      {report.problems.map(({ line, text }) => (
        <p key={`${line} ${text}`}>
          Line {line}: {text}.
        </p>
      ))}
      <p class="caption">Type errors do not stop the run: types are erased before it.</p>
    </section>
  );
}

function Searching({ store }: { readonly store: WriteStore }) {
  const states = store.states.value;
  return (
    <p class="caption" role="status">
      {states === 0 ? 'Searching…' : `Searching: ${formatFigure(states)} states so far`}
    </p>
  );
}

function Holds({ checked, isOver }: { readonly checked: readonly CheckedReply[]; readonly isOver: boolean }) {
  const sizes = checked.flatMap((each) => (each.type === 'checked' && each.kind === 'holds' ? [each.n] : []));
  const unknown = checked.find((each) => each.type === 'checked' && each.kind === 'unknown');
  if (!isOver || (sizes.length === 0 && unknown === undefined)) return null;
  return (
    <VerdictText
      kind={unknown === undefined ? 'holds' : 'unknown'}
      text={
        unknown?.type === 'checked'
          ? unknown.text
          : holdsText(` on ${sizes.length === 1 ? '' : `${sizes[0]} to `}${sizes[sizes.length - 1]} nodes`)
      }
    />
  );
}

/** What was searched, by size. */
function Counts({ checked }: { readonly checked: readonly CheckedReply[] }) {
  return (
    <table class="table write-counts">
      <caption>Searched</caption>
      <thead>
        <tr>
          <th>nodes</th>
          <th class="number">states</th>
          <th class="number">transitions</th>
          <th>verdict</th>
        </tr>
      </thead>
      <tbody>
        {checked.map((each) => (
          <tr key={each.n}>
            <td>{each.n}</td>
            {each.type === 'skipped' ? (
              <td colSpan={3}>not searched: {each.text}</td>
            ) : (
              <>
                <td class="number">{formatFigure(each.states)}</td>
                <td class="number">{formatFigure(each.transitions)}</td>
                <td>{{ holds: '✓ holds', violated: '✗ violated', unknown: '– not all' }[each.kind]}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TrailView({ store, trail }: { readonly store: WriteStore; readonly trail: Trail }) {
  const position = store.position.value;
  const step = position === 0 ? null : trail.steps[position - 1];
  const last = trail.steps.length;
  const name = (at: number): string => (trail.ids === null ? String(at) : `id ${trail.ids[at]}`);
  return (
    <>
      <VerdictText kind="violated" text={violationText(trail)} />
      <p class="caption">
        {`${trail.n} nodes${trail.ids === null ? '' : `, ids ${trail.ids.join(' ')}`}, ${last} steps. No shorter run fails.`}
      </p>
      <TrailDiagram trail={trail} position={position} onSeek={(at) => store.seek(at)} />
      <div class="write-transport" role="toolbar" aria-label="Steps of the counterexample">
        <Button aria-label="First step" disabled={position === 0} onClick={() => store.seek(0)}>
          |◀
        </Button>
        <Button aria-label="Step back" disabled={position === 0} onClick={() => store.seek(position - 1)}>
          ◀
        </Button>
        <Button aria-label="Step" disabled={position === last} onClick={() => store.seek(position + 1)}>
          ▶
        </Button>
        <Button aria-label="Last step" disabled={position === last} onClick={() => store.seek(last)}>
          ▶|
        </Button>
        <output>
          step <strong>{position}</strong> of {last}
          {step !== null && step.lines.length > 0 && (
            <span class="caption">
              {' '}
              {step.lines.length === 1 ? 'line' : 'lines'} {rangesOf(step.lines)}
            </span>
          )}
        </output>
      </div>
      <p class="write-narration" aria-live="polite">
        {step === null ? 'Nothing has happened yet.' : `${step.text}.`}
        {step?.violation && <strong class="violation"> {step.violation}.</strong>}
      </p>
      {step !== null && (
        <table class="table">
          <caption class="only-read">The nodes after this step</caption>
          <thead>
            <tr>
              <th>node</th>
              <th>role</th>
              <th>state</th>
            </tr>
          </thead>
          <tbody>
            {step.nodes.map(({ role, state }, at) => (
              <tr key={at}>
                <td>{name(at)}</td>
                <td>{role === 'leader' ? '★ leader' : role}</td>
                <td>{state}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {step !== null && (
        <p class="caption">
          {step.messages.length === 0
            ? 'No message is in flight.'
            : `In flight: ${step.messages.join('; ')}.`}
        </p>
      )}
    </>
  );
}

/** '3 5–7' for 3, 5, 6, 7. */
function rangesOf(lines: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else parts.push([line, line]);
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(' ');
}
