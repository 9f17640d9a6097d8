/** The pictures of one simulated run: the space-time diagram and the network. */
import { checkDrawable, checkNetworkDrawable, type PictureStyle } from '../../drawing/index.ts';
import { InputError } from '../../kernel/index.ts';
import type { Outcome, Run, TraceEvent } from '../../simulator/index.ts';
import { readPictureStyle } from '../flags/picture-flags.ts';
import type { SimulateFlags } from '../flags/simulate-flags.ts';
import { Recording } from '../report/run-diagram.ts';
import { NetworkRecording, readFrames } from './network-diagram.ts';
import { type PictureFile, pictureOf } from './picture-file.ts';

interface Picture {
  readonly title: string;
  readonly file: PictureFile;
  take(event: TraceEvent): void;
  draw(run: Run, outcome: Outcome | null): string;
}

export class RunPictures {
  private readonly wanted: readonly Picture[];

  /** Null if no flag asks for a picture. Nothing is written before `write`. */
  static of(flags: SimulateFlags, run: Pick<Run, 'plan'>): RunPictures | null {
    const pictures = new RunPictures(flags, run);
    return pictures.wanted.length === 0 ? null : pictures;
  }

  static areWanted({ svg, svgNetwork, svgAnimation }: SimulateFlags): boolean {
    return svg !== undefined || svgNetwork !== undefined || svgAnimation !== undefined;
  }

  private constructor(flags: SimulateFlags, { plan }: Pick<Run, 'plan'>) {
    const isNone = !RunPictures.areWanted(flags);
    const style: PictureStyle = readPictureStyle(flags, isNone, '--svg, --svg-network or --svg-animation');
    if (flags.frames !== undefined && flags.svgNetwork === undefined) {
      throw new InputError('--frames needs --svg-network: give both');
    }
    const frames = readFrames(flags.frames);
    if (flags.svg !== undefined) checkDrawable({ nodes: plan.nodes });
    if (flags.svgNetwork !== undefined || flags.svgAnimation !== undefined) {
      checkNetworkDrawable({ nodes: plan.topology.n, frames });
    }
    if (/\.(png|pdf)$/i.test(flags.svgAnimation ?? '')) {
      throw new InputError(`--svg-animation must be an .svg file, not '${flags.svgAnimation}'`);
    }
    const wanted: Picture[] = [];
    const add = (
      title: string,
      file: PictureFile | null,
      recording: Omit<Picture, 'title' | 'file'>,
    ): void => {
      if (file !== null) wanted.push({ title, file, take: recording.take, draw: recording.draw });
    };
    const diagram = new Recording();
    add('space-time diagram', pictureOf('svg', flags.svg), {
      take: (event) => diagram.take(event),
      draw: (run, outcome) => diagram.draw(run, outcome, style),
    });
    const network = new NetworkRecording();
    add('network', pictureOf('svg-network', flags.svgNetwork), {
      take: (event) => network.take(event),
      draw: (run, outcome) => network.draw(run, outcome, style, frames),
    });
    const played = new NetworkRecording();
    add('animation', pictureOf('svg-animation', flags.svgAnimation), {
      take: (event) => played.take(event),
      draw: (run, outcome) => played.animate(run, outcome, style),
    });
    this.wanted = wanted;
  }

  get paths(): string[] {
    return this.wanted.map(({ file }) => file.path);
  }

  take(event: TraceEvent): void {
    for (const picture of this.wanted) picture.take(event);
  }

  /** Returns what was written, a line each. `outcome` is null if the election failed. */
  async write(run: Run, outcome: Outcome | null): Promise<string[]> {
    for (const { file, draw } of this.wanted) await file.write(draw(run, outcome));
    return this.wanted.map(({ title, file }) => `${title}: ${file.path}`);
  }
}
