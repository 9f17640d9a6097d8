import './compare.css';
import { curvePlot, DEFAULT_STYLE, PALETTES } from '@hustings/study/drawing';
import { isNarrow, layoutPlot } from '@hustings/study/internal/drawing/plot/plot-layout';
import { renderPlot } from '@hustings/study/internal/drawing/plot/render-plot';
import { formatSweepCsv } from '@hustings/study/internal/sweep/report/sweep-csv';
import { plotOf } from '@hustings/study/internal/sweep/report/sweep-plot';
import { seriesName } from '@hustings/study/internal/sweep/report/sweep-text';
import type { SweepResult } from '@hustings/study/sweep';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { compareProblems, compareRequest } from '../../model/compare/compare-request.ts';
import { useActions } from '../shell/actions.ts';
import { Button } from '../shell/button.tsx';
import { Notice } from '../shell/notice.tsx';
import { extra, navigate, setup } from '../shell/router.ts';
import { saveFile, savePng } from '../shell/save-file.ts';
import { Segmented } from '../shell/segmented.tsx';
import { TextAlternative } from '../shell/text-alternative.tsx';
import { PAGE_PALETTE } from '../views/page-palette.ts';
import { useSize } from '../views/use-size.ts';
import { CompareSentence } from './compare-sentence.tsx';
import { CompareStore } from './compare-store.ts';
import { SideBySide } from './side-by-side.tsx';

/** Costs of several algorithms over the size of the network, measured in workers. */
export default function ComparePage() {
  const store = useMemo(() => new CompareStore(), []);
  useEffect(() => () => store.stop(), [store]);
  const request = compareRequest(setup.value, extra.value);
  const key = JSON.stringify(request);
  useEffect(() => {
    void store.start(request);
  }, [store, key]);
  const { all, done, result, text, type } = store.state.value;
  useActions([
    {
      id: 'compare.cancel',
      title: 'Stop measuring',
      run: () => store.cancel(),
      when: () => store.state.peek().type === 'running',
    },
    { id: 'compare.again', title: 'Measure again', run: () => void store.start(request) },
  ]);
  const progress = (
    <div class="compare-progress" role="status">
      {type === 'running' && (
        <>
          <progress aria-label="Progress of the measurement" max={Math.max(1, all)} value={done} />
          <Button onClick={() => store.cancel()}>Stop</Button>
        </>
      )}
      {type === 'cancelled' && (
        <>
          <span>{`Stopped after ${done} of ${all} parts: the points below have fewer runs.`}</span>
          <Button onClick={() => void store.start(request)}>Measure again</Button>
        </>
      )}
    </div>
  );
  return (
    <div class="compare-page">
      <CompareSentence request={request} />
      {compareProblems(extra.value).map((text) => (
        <p key={text} class="link-problem" role="status">
          {text}
        </p>
      ))}
      {type === 'failed' && (
        <Notice kind="error" text={`The measurement ended: ${text}.`}>
          <Button kind="main" onClick={() => void store.start(request)}>
            Try again
          </Button>
        </Notice>
      )}
      {result === null ? (
        progress
      ) : (
        <CurvePlot result={result} isComplete={type === 'done'} progress={progress} />
      )}
      <SideBySide algorithms={request.algorithms} />
    </div>
  );
}

/** The size of labels in pixels. Notes, the smallest texts, have four fifths of it. */
const TEXT = 13.75;

interface CurvePlotProps {
  readonly result: SweepResult;
  readonly isComplete: boolean;
  /** Stands in the row of the controls: the plot stays where it is when the measurement ends. */
  readonly progress: ComponentChildren;
}

/** Measured points, laws and a read-out of one size. */
function CurvePlot({ result, isComplete, progress }: CurvePlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const perNode = extra.value.per === 'node';
  const isLinear = extra.value.axes === 'linear';
  const plot = useMemo(() => plotOf(result, perNode, isLinear), [result, perNode, isLinear]);
  const drawn = useMemo(() => {
    if (size === null) return null;
    const sheet = { ...size, text: TEXT };
    const scene = layoutPlot(plot, sheet);
    const height = (size.width * scene.height) / scene.width;
    const html = renderPlot(scene, plot.title, { palette: PAGE_PALETTE, background: null, ...size, height });
    return { html, scene, isTall: isNarrow(sheet) };
  }, [plot, size]);
  const [at, setAt] = useState<number | null>(null);
  const sizes = result.sizes;
  const shown = at === null ? null : sizes[Math.min(at, sizes.length - 1)];
  const name = result.series.map(({ algorithm }) => algorithm).join('-');
  return (
    <section class="curve-plot" aria-label="Curves">
      <div class="exports">
        <Segmented
          label="Axes"
          options={[
            { value: 'logarithmic', text: 'logarithmic' },
            { value: 'linear', text: 'linear' },
          ]}
          value={isLinear ? 'linear' : 'logarithmic'}
          onChange={(axes) => navigate({ extra: { axes: axes === 'linear' ? axes : undefined } })}
        />
        <Button onClick={() => saveFile(`${name}.svg`, 'image/svg+xml', curvePlot(plot))}>SVG</Button>
        <Button
          onClick={() => void savePng(`${name}.png`, curvePlot(plot), PALETTES[DEFAULT_STYLE.theme].paper)}
        >
          PNG
        </Button>
        <Button onClick={() => saveFile(`${name}.csv`, 'text/csv', formatSweepCsv(result))}>CSV</Button>
        {!isComplete && <span class="caption">measuring: exports contain the runs so far</span>}
        {progress}
      </div>
      <div
        class="curve-frame"
        data-tall={drawn?.isTall === true || undefined}
        ref={frame}
        tabIndex={0}
        role="slider"
        aria-label={plot.title}
        aria-valuemin={sizes[0]}
        aria-valuemax={sizes.at(-1)}
        aria-valuenow={shown ?? sizes[0]}
        aria-valuetext={shown === null ? 'no size is read out' : `n = ${shown}`}
        onKeyDown={(event) => {
          const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          if (by === 0) return;
          event.preventDefault();
          event.stopPropagation();
          setAt(Math.max(0, Math.min(sizes.length - 1, (at ?? -by) + by)));
        }}
        onPointerMove={({ clientX, currentTarget }) => {
          if (drawn === null || size === null) return;
          const { frame: area, width } = drawn.scene;
          const x = ((clientX - currentTarget.getBoundingClientRect().left) * width) / size.width;
          setAt(nearestSize(sizes, (x - area.x) / area.width, isLinear));
        }}
        dangerouslySetInnerHTML={{ __html: drawn?.html ?? '' }}
      />
      <p class="read-out" aria-live="polite">
        {shown === null
          ? 'Point at the plot, or use the arrow keys, to read values.'
          : `n = ${shown}: ${result.series.map((series) => `${seriesName(series, result)} ${meanText(series.points.find(({ n }) => n === shown)?.mean)}`).join('; ')}`}
      </p>
      <TextAlternative
        id="points"
        caption="Measured points"
        columns={['algorithm', 'n', 'runs', 'mean', 'low 95 %', 'high 95 %']}
        rows={result.series.flatMap((series) =>
          series.points.map(({ interval, mean, n, runs }) => [
            seriesName(series, result),
            n,
            runs,
            meanText(mean),
            meanText(interval?.[0]),
            meanText(interval?.[1]),
          ]),
        )}
      />
    </section>
  );
}

/** The index of the size that is nearest to a share of the axis, which is logarithmic from the first size, or linear from 0. */
function nearestSize(sizes: readonly number[], share: number, isLinear: boolean): number {
  const places = isLinear ? sizes : sizes.map(Math.log);
  const first = isLinear ? 0 : places[0];
  const at = first + share * (places[places.length - 1] - first);
  const distances = places.map((place) => Math.abs(place - at));
  return distances.indexOf(Math.min(...distances));
}

function meanText(value: number | null | undefined): string {
  return value === null || value === undefined
    ? '–'
    : value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
