/** The pictures of one simulated run: the space-time diagram and the network. */
import { checkDrawable, checkNetworkDrawable } from '../../drawing/index.ts';
import { InputError } from '../../kernel/index.ts';
import type { Run, TraceEvent } from '../../simulator/index.ts';
import { readPictureStyle } from '../flags/picture-flags.ts';
import type { SimulateFlags } from '../flags/simulate-flags.ts';
import { NetworkRecording, readFrames } from './network-diagram.ts';
import { formatOf, type PictureFile, pictureOf } from './picture-file.ts';
import { Recording } from './run-diagram.ts';

interface Picture {
  readonly title: string;
  readonly file: PictureFile;
  readonly recording: Recording | NetworkRecording;
  readonly draw: (run: Run, result: string) => string;
}

export class RunPictures {
  private readonly recordings: ReadonlySet<Picture['recording']>;

  private constructor(private readonly wanted: readonly Picture[]) {
    this.recordings = new Set(wanted.map(({ recording }) => recording));
  }

  static areWanted({ svg, svgNetwork, svgAnimation }: SimulateFlags): boolean {
    return svg !== undefined || svgNetwork !== undefined || svgAnimation !== undefined;
  }

  /** Null if no flag asks for a picture. Nothing is written before `write`. */
  static of(flags: SimulateFlags, { plan }: Pick<Run, 'plan'>): RunPictures | null {
    const isNone = !RunPictures.areWanted(flags);
    const style = readPictureStyle(flags, isNone, '--svg, --svg-network or --svg-animation');
    if (flags.frames !== undefined && flags.svgNetwork === undefined) {
      throw new InputError('--frames needs --svg-network: give both');
    }
    const frames = readFrames(flags.frames);
    if (flags.svg !== undefined) checkDrawable({ nodes: plan.nodes });
    if (flags.svgNetwork !== undefined || flags.svgAnimation !== undefined) {
      checkNetworkDrawable({ nodes: plan.topology.n, frames });
    }
    if (formatOf(flags.svgAnimation ?? '') !== null) {
      throw new InputError(`--svg-animation must be an .svg file, not '${flags.svgAnimation}'`);
    }
    const diagram = new Recording();
    const network = new NetworkRecording();
    const all: readonly (Omit<Picture, 'file'> & { readonly file: PictureFile | null })[] = [
      {
        title: 'space-time diagram',
        file: pictureOf('svg', flags.svg),
        recording: diagram,
        draw: (run, result) => diagram.draw(run, result, style),
      },
      {
        title: 'network',
        file: pictureOf('svg-network', flags.svgNetwork),
        recording: network,
        draw: (run, result) => network.draw(run, result, style, frames),
      },
      {
        title: 'animation',
        file: pictureOf('svg-animation', flags.svgAnimation),
        recording: network,
        draw: (run, result) => network.animate(run, result, style),
      },
    ];
    const wanted = all.flatMap(({ file, ...picture }) => (file === null ? [] : [{ ...picture, file }]));
    return wanted.length === 0 ? null : new RunPictures(wanted);
  }

  get paths(): string[] {
    return this.wanted.map(({ file }) => file.path);
  }

  take(event: TraceEvent): void {
    for (const recording of this.recordings) recording.take(event);
  }

  /** Returns what was written, a line each. `result` ends the subtitles. */
  async write(run: Run, result: string): Promise<string[]> {
    for (const { file, draw } of this.wanted) await file.write(draw(run, result));
    return this.wanted.map(({ title, file }) => `${title}: ${file.path}`);
  }
}
