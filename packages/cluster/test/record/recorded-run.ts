/** The recording of a simulated cluster as the texts of its files, and its replay. */
import { mergeRecording } from '../../src/record/merge.ts';
import type { TraceText } from '../../src/record/parse-trace.ts';
import { replayRecording } from '../../src/record/replay-recording.ts';
import type { RecordedViolation, RecordingReport } from '../../src/record/run-report.ts';
import { jsonLines } from '../../src/record/trace-line.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';

export function textsOf({ traces }: SimulatedCluster): TraceText[] {
  return [...traces].map(([id, lines]) => {
    let text = '';
    const writer = jsonLines((line) => {
      text += line;
    });
    for (const line of lines) writer.write(line);
    return { file: `${id}.trace`, text };
  });
}

export function replayCluster(cluster: SimulatedCluster): RecordingReport {
  return replayTexts(cluster, textsOf(cluster));
}

export function replayTexts({ options }: SimulatedCluster, texts: readonly TraceText[]): RecordingReport {
  return replayRecording(options.algorithm, mergeRecording(texts));
}

export function violationsOf({ runs }: RecordingReport): RecordedViolation[] {
  return runs.flatMap(({ violation }) => violation ?? []);
}
