/**
 * Places for labels. Those at the ends of lines stand in a column beside the frame, as near to their lines as their order
 * allows. Those of curves that leave the frame stand above it, each where its curve leaves.
 */

/** A label with the height at which its line ends. */
export interface Wanted {
  readonly at: number;
  readonly height: number;
}

interface Cluster {
  /** Where the top should be: the mean over the members. */
  top: number;
  height: number;
  members: number[];
}

/** The tops, in the order of `wanted`. They overlap only if they do not fit between `from` and `until`. */
export function spreadColumn(wanted: readonly Wanted[], from: number, until: number): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => wanted[one].at - wanted[other].at);
  const clusters: Cluster[] = [];
  for (const index of order) {
    const { at, height } = wanted[index];
    clusters.push({ top: inside(at - height / 2, height, from, until), height, members: [index] });
    for (;;) {
      const last = clusters[clusters.length - 1];
      const before = clusters[clusters.length - 2];
      if (before === undefined || before.top + before.height <= last.top) break;
      clusters.splice(-2, 2, merged(before, last, from, until));
    }
  }
  const tops: number[] = [];
  for (const { members, top } of clusters) {
    let y = top;
    for (const index of members) {
      tops[index] = y;
      y += wanted[index].height;
    }
  }
  return tops;
}

function merged(one: Cluster, other: Cluster, from: number, until: number): Cluster {
  const [a, b] = [one.members.length, other.members.length];
  const top = (one.top * a + (other.top - one.height) * b) / (a + b);
  const height = one.height + other.height;
  return { top: inside(top, height, from, until), height, members: [...one.members, ...other.members] };
}

const inside = (top: number, height: number, from: number, until: number): number =>
  Math.max(from, Math.min(top, until - height));

export interface TopLabel {
  /** Where its curve leaves the frame; the label begins there. */
  readonly at: number;
  readonly width: number;
  readonly height: number;
}

/**
 * How far the lower edge of each label is above the frame. The rightmost comes first and later ones go above it, so no line
 * from the frame to a label crosses another label.
 */
export function stackTop(labels: readonly TopLabel[], apart: number): number[] {
  const order = labels.map((_, index) => index).sort((one, other) => labels[other].at - labels[one].at);
  const bottoms: number[] = [];
  order.forEach((index, rank) => {
    const { at, width } = labels[index];
    const below = order.slice(0, rank).filter((other) => labels[other].at < at + width + apart);
    bottoms[index] = Math.max(0, ...below.map((other) => bottoms[other] + labels[other].height));
  });
  return bottoms;
}
