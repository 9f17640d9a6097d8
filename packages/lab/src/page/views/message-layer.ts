/** The messages of a network as SVG elements that are moved without rendering: a tail, a pill, and a mark where it ended. */

import type { MessagePurpose, Point } from '@hustings/study/drawing';
import type { InFlightMessage } from '@hustings/study/driver';
import { pillAround } from '@hustings/study/internal/drawing/network/pill';
import { renderEnd, renderHead, renderPill } from '@hustings/study/internal/drawing/network/render-message';
import { pathOf } from '@hustings/study/internal/drawing/svg';
import { type MessageMotion, shareAt } from '../../model/stage/message-motion.ts';
import type { FlyingMessage, MessageSpot, NetworkStage } from '../../model/stage/network-stage.ts';
import { theme } from '../shell/theme.ts';
import { PAGE_PALETTE } from './page-palette.ts';

/** The namespace of SVG elements. */
export const SVG = 'http://www.w3.org/2000/svg';

interface Drawn {
  readonly group: SVGGElement;
  readonly head: SVGGElement;
  readonly tail: SVGPathElement;
}

/** Draws messages at the shares of their ways. */
export interface MessageLayer {
  /** Shows a moment of a change; at 1 only what is still in flight is left, except what ended in a mark. */
  show(motions: readonly MessageMotion[], time: number): void;
}

/** Up to about a hundred messages: each is an element that can be focused. */
export class SvgMessageLayer implements MessageLayer {
  private readonly drawn = new Map<InFlightMessage, Drawn>();

  constructor(
    private readonly stage: NetworkStage,
    private readonly tails: SVGGElement,
    private readonly pills: SVGGElement,
  ) {
    tails.replaceChildren();
    pills.replaceChildren();
  }

  show(motions: readonly MessageMotion[], time: number): void {
    const shown = new Set<InFlightMessage>();
    for (const motion of motions) {
      const { begin, fate, flying } = motion;
      const isEnded = fate !== 'flying';
      const isVisible = isEnded ? time < 1 || fate !== 'delivered' : time >= begin || begin === 0;
      if (!isVisible) continue;
      shown.add(flying.message);
      this.move(flying, shareAt(motion, time), isEnded && time >= motion.end ? fate : 'flying');
    }
    for (const [message, { group, tail }] of this.drawn) {
      if (shown.has(message)) continue;
      group.remove();
      tail.remove();
      this.drawn.delete(message);
    }
  }

  private move(flying: FlyingMessage, share: number, fate: MessageMotion['fate']): void {
    const { group, head, tail } = this.drawn.get(flying.message) ?? this.draw(flying);
    const { at, angle, tail: line } = this.stage.place(flying, share);
    group.setAttribute('transform', `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`);
    tail.setAttribute('d', line.length < 2 ? '' : pathOf(line, false));
    const box = this.boxOf(flying);
    if (fate !== group.dataset.fate || fate === 'flying') {
      head.innerHTML =
        fate === 'flying'
          ? renderHead(box, angle, flying.purpose, PAGE_PALETTE)
          : fate === 'delivered'
            ? ''
            : renderEnd(box, angle, fate, PAGE_PALETTE);
    }
    group.dataset.fate = fate;
    tail.dataset.fate = fate;
  }

  private draw(flying: FlyingMessage): Drawn {
    const { message, purpose, text } = flying;
    const tail = document.createElementNS(SVG, 'path');
    tail.setAttribute('class', 'tail');
    tail.dataset.purpose = purpose;
    const group = document.createElementNS(SVG, 'g');
    group.setAttribute('class', 'message');
    group.setAttribute('role', 'button');
    group.setAttribute('tabindex', '-1');
    group.setAttribute('aria-label', `${message.text} from node ${message.from} to node ${message.to}`);
    const head = document.createElementNS(SVG, 'g');
    const pill = document.createElementNS(SVG, 'g');
    pill.innerHTML = renderPill(this.boxOf(flying), purpose, text, PAGE_PALETTE).join('');
    group.append(head, pill);
    messages.set(group, message);
    this.tails.append(tail);
    this.pills.append(group);
    const drawn = { group, head, tail };
    this.drawn.set(message, drawn);
    return drawn;
  }

  private boxOf({ text }: FlyingMessage) {
    return pillAround(text, this.stage.labelSize, { x: 0, y: 0 });
  }
}

const messages = new WeakMap<Element, InFlightMessage>();

/** The message that an element draws, or its nearest ancestor. */
export function messageAt(target: EventTarget | null): InFlightMessage | null {
  const element = target instanceof Element ? target.closest('.message') : null;
  return element === null ? null : (messages.get(element) ?? null);
}

/** A browser fills some paths of this number of shapes faster than one large path, and faster than one path per shape. */
const SHAPES_PER_PATH = 30;
const PURPOSES: readonly MessagePurpose[] = ['election', 'announcement', 'upkeep'];

/** What does not change while messages move. */
interface Prepared {
  readonly of: readonly MessageMotion[];
  readonly moving: Readonly<
    Record<
      MessagePurpose,
      readonly { readonly motion: MessageMotion; readonly at: (share: number) => MessageSpot }[]
    >
  >;
}

type Colours = Readonly<Record<MessagePurpose, string>>;

/** Many messages: darts on one canvas. Labels would cover each other. */
export class CanvasMessageLayer implements MessageLayer {
  private readonly context: CanvasRenderingContext2D;
  private readonly scale: number;
  private prepared: Prepared | null = null;
  private known: { readonly of: string; readonly colours: Colours } | null = null;

  constructor(
    private readonly stage: NetworkStage,
    private readonly canvas: HTMLCanvasElement,
  ) {
    this.scale = devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * this.scale);
    canvas.height = Math.round(canvas.clientHeight * this.scale);
    this.context = canvas.getContext('2d') as CanvasRenderingContext2D;
  }

  show(motions: readonly MessageMotion[], time: number): void {
    const { canvas, context, scale, stage } = this;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (motions.length === 0) return;
    if (this.prepared?.of !== motions) this.prepared = this.prepare(motions);
    const { moving } = this.prepared;
    const colours = this.colours();
    const size = Math.max(2, Math.min(5, 0.45 * stage.geometry.radius));
    for (const purpose of PURPOSES) {
      context.fillStyle = colours[purpose];
      let shapes = 0;
      for (const { at: spotAt, motion } of moving[purpose]) {
        const { begin, end, fate } = motion;
        if (fate !== 'flying' ? time >= end : time < begin && begin > 0) continue;
        if (shapes++ % SHAPES_PER_PATH === 0) {
          context.fill();
          context.beginPath();
        }
        const { at, angle } = spotAt(shareAt(motion, time));
        drawDart(context, purpose, at, size * Math.cos(angle), size * Math.sin(angle));
      }
      context.fill();
      context.beginPath();
    }
  }

  private prepare(motions: readonly MessageMotion[]): Prepared {
    const { stage } = this;
    const of = (purpose: MessagePurpose) =>
      motions
        .filter(({ flying }) => flying.purpose === purpose)
        .map((motion) => ({ motion, at: stage.track(motion.flying) }));
    return {
      of: motions,
      moving: { election: of('election'), announcement: of('announcement'), upkeep: of('upkeep') },
    };
  }

  /** Reading them makes the browser compute styles: once for a theme, not in each frame. */
  private colours(): Colours {
    const of = theme.peek();
    if (this.known?.of !== of) {
      const style = getComputedStyle(this.canvas);
      const colours = {
        election: style.getPropertyValue('--ink'),
        announcement: style.getPropertyValue('--rust'),
        upkeep: style.getPropertyValue('--ink3'),
      };
      this.known = { of, colours };
    }
    return this.known.colours;
  }
}

/** A kite that points ahead; an announcement has a square end. */
function drawDart(
  context: CanvasRenderingContext2D,
  purpose: MessagePurpose,
  { x, y }: Point,
  dx: number,
  dy: number,
): void {
  context.moveTo(x + 2.4 * dx, y + 2.4 * dy);
  context.lineTo(x - dy, y + dx);
  if (purpose === 'announcement') {
    context.lineTo(x - 1.4 * dx - dy, y - 1.4 * dy + dx);
    context.lineTo(x - 1.4 * dx + dy, y - 1.4 * dy - dx);
  } else context.lineTo(x - 1.2 * dx, y - 1.2 * dy);
  context.lineTo(x + dy, y - dx);
}
