import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { durationText, endWords } from '../../model/leases/lease-text.ts';
import { type LeaseScene, leaseScene } from '../../model/leases/lease-timeline.ts';
import { Button } from '../shell/button.tsx';
import { TextAlternative } from '../shell/text-alternative.tsx';
import { type LastKnown, lastKnown, present } from './lease-feed.ts';
import { clockText, storeNowMs, useTicks } from './store-clock.ts';

export interface LeaseTimelineProps {
  readonly windowMs: number;
  /** Asks who led at a time, or at one that the reader chooses. */
  readonly onAsk: (atMs?: number) => void;
}

/** One bar per term. Greyed out, and standing still, while the store cannot be read. */
export function LeaseTimeline({ windowMs, onAsk }: LeaseTimelineProps) {
  const known = lastKnown.value;
  const well = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = well.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return (
    <section class="lease-timeline" data-old={present.value === null ? '' : undefined} aria-label="Who led">
      <div class="lease-caption">
        <h2>Who led</h2>
        <span class="caption only-wide">numbers are fencing tokens</span>
        <Button kind="plain" onClick={() => onAsk()}>
          Who led at… <kbd class="only-wide">T</kbd>
        </Button>
      </div>
      <div class="lease-well" ref={well}>
        {known !== null && width > 0 && (
          <Drawing known={known} windowMs={windowMs} width={width} onAsk={onAsk} />
        )}
      </div>
      {known !== null && <TimelineAlternative known={known} />}
    </section>
  );
}

interface DrawingProps extends LeaseTimelineProps {
  readonly known: LastKnown;
  readonly width: number;
}

function Drawing({ known, windowMs, width, onAsk }: DrawingProps) {
  useTicks();
  const { election, snapshot } = known;
  const isPresent = present.value !== null;
  const nowMs = isPresent ? storeNowMs(known) : election.nowMs;
  const scene = leaseScene(election, snapshot.demo, { nowMs, windowMs, width, isPresent });
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: T asks the same with the keyboard
    <svg
      viewBox={`0 0 ${scene.width} ${scene.height}`}
      width={scene.width}
      height={scene.height}
      role="img"
      aria-label={narration(known, isPresent)}
      onClick={(event) => {
        const { left } = event.currentTarget.getBoundingClientRect();
        const x = event.clientX - left;
        if (x >= scene.left && x <= scene.nowX) onAsk(Math.round(scene.timeAt(x)));
      }}
    >
      <defs>
        <pattern id="paused" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="6" class="lease-hatch" />
        </pattern>
      </defs>
      <Axis scene={scene} />
      <Terms scene={scene} />
      <Faults scene={scene} />
      {scene.labels.map(({ text, x, y, anchor, tone }) => (
        <text key={`${text} ${x} ${y}`} class="lease-label" data-tone={tone} x={x} y={y} text-anchor={anchor}>
          {text}
        </text>
      ))}
      <line class="lease-now" x1={scene.nowX} x2={scene.nowX} y1="18" y2={scene.height} />
    </svg>
  );
}

function Axis({ scene }: { readonly scene: LeaseScene }) {
  return (
    <>
      {scene.ticks.map(({ x, text }) => (
        <g key={text}>
          <line class="lease-grid" x1={x} x2={x} y1="18" y2={scene.height} />
          <text class="lease-tick" x={x} y="12" text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
      {scene.rows.map(({ id, y, leads }) => (
        <g key={id}>
          <line class="lease-row" x1={scene.left} x2={scene.nowX} y1={y} y2={y} />
          <text
            class="lease-name"
            data-leads={leads || undefined}
            x={scene.left - 10}
            y={y + 4}
            text-anchor="end"
          >
            {id}
          </text>
        </g>
      ))}
    </>
  );
}

function Terms({ scene }: { readonly scene: LeaseScene }) {
  return (
    <>
      {scene.bars.map(({ token, text, x, y, width, height, isCurrent, restWidth }) => (
        <g key={token} class="lease-term" data-token={token} data-current={isCurrent || undefined}>
          {restWidth > 0 && (
            <rect class="lease-rest" x={x + width} y={y} width={restWidth} height={height} rx="3" />
          )}
          <rect class="lease-bar" x={x} y={y} width={width} height={height} rx="3" />
          {text !== null && (
            <text class="lease-token" x={x + width / 2} y={y + height / 2 + 4} text-anchor="middle">
              {text}
            </text>
          )}
        </g>
      ))}
    </>
  );
}

function Faults({ scene }: { readonly scene: LeaseScene }) {
  const half = scene.barHeight / 2;
  return (
    <>
      {scene.spans.map(({ type, holding, x, width, y }) =>
        type === 'paused' && holding ? (
          <g key={`${type} ${x} ${y}`}>
            <rect class="lease-paused" x={x} y={y - half} width={width} height={2 * half} />
            <rect fill="url(#paused)" x={x} y={y - half} width={width} height={2 * half} />
          </g>
        ) : (
          <line
            key={`${type} ${x} ${y}`}
            class="lease-span"
            data-type={type}
            x1={x}
            x2={x + width}
            y1={y}
            y2={y}
          />
        ),
      )}
      {scene.marks.map(({ type, x, y }) => (
        <g key={`${type} ${x} ${y}`} class="lease-mark" data-type={type} transform={`translate(${x} ${y})`}>
          {type === 'killed' && <path d="M-5-5 5 5M-5 5 5-5" />}
          {type === 'restarted' && <circle r="4.5" />}
          {type === 'refused' && <path d={`M0-4H14M14-${half}V4`} />}
          {type === 'late' && <path d="M0 6H13M9 2l5 4-5 4" />}
        </g>
      ))}
    </>
  );
}

/** The picture in words. */
function narration({ election: { leader, terms }, snapshot }: LastKnown, isPresent: boolean): string {
  const who = leader.type === 'led' ? leader.holder : 'nobody';
  if (!isPresent) return `When last seen, ${who} led.`;
  const [, before] = terms;
  const words = before === undefined ? null : endWords(before, snapshot.demo?.faults ?? []);
  const last = words === null ? '' : ` Before that ${before.holder} led: ${words}.`;
  return `${who === 'nobody' ? 'Nobody' : who} leads.${last}`;
}

function TimelineAlternative({ known: { election, snapshot } }: { readonly known: LastKnown }) {
  const faults = snapshot.demo?.faults ?? [];
  return (
    <TextAlternative
      id="terms-table"
      caption="Terms, newest first"
      columns={['Token', 'Holder', 'Start', 'End', 'Lasted', 'Ended']}
      rows={election.terms.map((term) => [
        term.token,
        term.holder,
        clockText(term.startMs),
        term.endMs === null ? (present.value === null ? '' : 'leads') : clockText(term.endMs),
        term.endMs === null ? '' : durationText(term.endMs - term.startMs),
        endWords(term, faults) ?? '',
      ])}
    />
  );
}
